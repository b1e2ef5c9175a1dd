package import CalotypeBase

/// The identity of a stored body, and the key under which images derived from the body are stored. It does not change
/// when a 304 confirms the body, or when a 200 brings the same bytes.
///
/// A new response has its identity from the beginning, but without a text. The cache sets the text when it has stored
/// the body, before a reader receives the last byte.
package final class BodyIdentity: Sendable {
    private let name: Locked<ByteString?>

    package init(_ name: ByteString? = nil) {
        self.name = Locked(name)
    }

    /// The identity, or `nil` while the body is not stored.
    package var text: ByteString? { name.withLock { $0 } }

    package func set(_ text: ByteString) { name.withLock { $0 = text } }
}
