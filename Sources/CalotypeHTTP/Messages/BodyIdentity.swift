package import CalotypeBase

/// The identity of a stored body, which is also the key of images derived from it. It remains the same if a 304
/// confirms the body, or a 200 contains the same bytes. `text` is `nil` until the cache has stored the body, which
/// happens before a reader receives the last byte.
package final class BodyIdentity: Sendable {
    private let name: Locked<ByteString?>
    /// Whether the bytes are in a local file, which may change or be replaced at any time.
    package let isOfFile: Bool
    /// Whether the cache has the head of the response alone, and not these bytes.
    package let lacksBody: Bool

    package init(_ name: ByteString? = nil, isOfFile: Bool = false, lacksBody: Bool = false) {
        self.name = Locked(name)
        self.isOfFile = isOfFile
        self.lacksBody = lacksBody
    }

    package var text: ByteString? { name.withLock { $0 } }

    package func set(_ text: ByteString) { name.withLock { $0 = text } }
}
