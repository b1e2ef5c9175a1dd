/// A request body that streams from its source, once. Two uploads are equal only if one is a copy of the other.
package struct HTTPUpload: Hashable, Sendable {
    private final class Identity: Sendable {}

    package let body: HTTPBody
    /// The length in bytes, or `nil` if it is unknown; HTTP/1.1 then uses the chunked coding.
    package let length: Int?
    private let identity = Identity()

    package init(_ body: HTTPBody, length: Int? = nil) {
        self.body = body
        self.length = length
    }

    package static func == (left: HTTPUpload, right: HTTPUpload) -> Bool { left.identity === right.identity }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
