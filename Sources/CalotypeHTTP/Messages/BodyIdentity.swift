package import CalotypeBase

/// The identity of a stored body, which is also the key of images derived from it. It remains the same if a 304
/// confirms the body, or a 200 contains the same bytes. A new response has an identity without text. The cache sets the
/// text when it has stored the body, before a reader receives the last byte.
package final class BodyIdentity: Sendable {
    private let name: Locked<ByteString?>

    package init(_ name: ByteString? = nil) {
        self.name = Locked(name)
    }

    /// The text, or `nil` while the body is not stored.
    package var text: ByteString? { name.withLock { $0 } }

    package func set(_ text: ByteString) { name.withLock { $0 = text } }
}
