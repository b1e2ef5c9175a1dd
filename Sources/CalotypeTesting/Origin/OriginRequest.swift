public import CalotypeHTTP
public import Foundation

/// A request as received by the origin server.
public struct OriginRequest: Sendable {
    /// The method of the request.
    public let method: ByteString
    /// The unmodified target of the request line.
    public let target: String
    /// The target before the question mark, still percent-encoded.
    public let path: String
    /// The target after the question mark, or `nil` if it contains no question mark.
    public let query: String?
    /// All header fields in order, including duplicates.
    public let fields: HTTPFields
    /// The bytes of the body.
    public let body: Data
}
