/// A request's body that is sent as it comes, once.
///
/// Two uploads are the same only where they are copies of one.
package struct HTTPUpload: Hashable, Sendable {
    private final class Identity: Sendable {}

    package let body: HTTPBody
    /// Bytes in all. Nil: chunked, over HTTP/1.1.
    package let length: Int?
    private let identity = Identity()

    package init(_ body: HTTPBody, length: Int? = nil) {
        self.body = body
        self.length = length
    }

    package static func == (left: HTTPUpload, right: HTTPUpload) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
