public import CalotypeHTTP
public import Foundation

/// A request that has arrived whole, body included.
public struct ListenerRequest: Sendable {
    /// Counts up from 1 for each listener; ``Listener/Options/onEnd`` names it again.
    public let id: UInt64
    public let method: HTTPMethod
    /// What stands in the request line, byte for byte: nothing is decoded, and a proxy sees the absolute form.
    public let target: String
    /// "1.0" or "1.1".
    public let version: String
    /// All lines in order, duplicates included.
    public let fields: HTTPFields
    /// Without its transfer coding.
    public let body: Data

    public init(
        id: UInt64 = 0, method: HTTPMethod = .get, target: String, version: String = "1.1", fields: HTTPFields = [:],
        body: Data = Data()
    ) {
        self.id = id
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.body = body
    }

    /// The target up to its question mark, not decoded.
    public var path: String { target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target }

    /// What follows the question mark; nil where there is none.
    public var query: String? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[target.utf8.index(after: $0)...]) }
    }
}
