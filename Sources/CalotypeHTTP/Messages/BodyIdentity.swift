package import CalotypeBase

/// The identity of a stored body, and the key under which images derived from it are stored. It stays the same for one
/// entry after a 304, and after a 200 with the same bytes.
///
/// The cache attaches it to the response's head. A body in flight has no identity until it is stored, which happens
/// before a reader has its last byte.
package final class BodyIdentity: Sendable {
    private let name: Locked<ByteString?>

    package init(_ name: ByteString? = nil) {
        self.name = Locked(name)
    }

    /// The identity, or `nil` while the body is not stored.
    package var text: ByteString? { name.withLock { $0 } }

    package func set(_ text: ByteString) { name.withLock { $0 = text } }
}
