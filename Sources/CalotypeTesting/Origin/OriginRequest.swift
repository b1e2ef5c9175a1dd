public import CalotypeHTTP
public import Foundation

/// A request as the origin saw it.
public struct OriginRequest: Sendable {
    /// The method of the request.
    public let method: ByteString
    /// The target of the request line, byte for byte.
    public let target: String
    /// The target up to its question mark, not decoded.
    public let path: String
    /// The part after the question mark, or `nil` if there is none.
    public let query: String?
    /// All lines in order, duplicates included.
    public let fields: HTTPFields
    /// The bytes of the body.
    public let body: Data
}
