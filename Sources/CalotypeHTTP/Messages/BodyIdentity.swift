package import CalotypeBase

/// The name of stored bytes: equal for the same entry with the same body, after a 304 and after a 200 that brought the
/// same bytes again. What is made of a body is kept under it.
///
/// A response gets it with its head; a body on its way has no name before it is stored, which is before a reader has its
/// last byte.
package final class BodyIdentity: Sendable {
    private let name: Locked<ByteString?>

    package init(_ name: ByteString? = nil) {
        self.name = Locked(name)
    }

    /// If `nil`, the body is not stored.
    package var text: ByteString? { name.withLock { $0 } }

    package func set(_ text: ByteString) { name.withLock { $0 = text } }
}
