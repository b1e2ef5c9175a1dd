/// A request's body that is sent as it comes, once.
///
/// Two uploads are the same only where they are copies of one.
public struct HTTPUpload: Hashable, Sendable {
    private final class Identity: Sendable {}

    public let body: HTTPBody
    /// Bytes in all. Nil: chunked, over HTTP/1.1.
    public let length: Int?
    private let identity = Identity()

    public init(_ body: HTTPBody, length: Int? = nil) {
        self.body = body
        self.length = length
    }

    public static func == (left: HTTPUpload, right: HTTPUpload) -> Bool { left.identity === right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
