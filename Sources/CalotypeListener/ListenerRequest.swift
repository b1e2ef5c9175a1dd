package import CalotypeHTTP
package import Foundation

/// A request that has arrived: its head, and its body either whole or as it comes.
package struct ListenerRequest: Sendable {
    /// Counts up from 1 for each listener; ``Listener/Options/onEnd`` names it again.
    package let id: UInt64
    package let method: HTTPMethod
    /// The target of the request line, byte for byte: nothing is decoded, and a proxy sees the absolute form.
    package let target: String
    /// "1.0" or "1.1".
    package let version: String
    /// All lines in order, duplicates included.
    package let fields: HTTPFields
    /// Without its transfer coding. Empty where ``upload`` brings it.
    package let body: Data
    /// The body as it comes, where ``Listener/Options/streamsBodies`` asks for that and there is one.
    package var upload: HTTPBody?
    /// Who sent it.
    package var client: ClientAddress?

    package init(
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
    package var path: String { target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target }

    /// The part after the question mark, or `nil` if there is none.
    package var query: String? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[target.utf8.index(after: $0)...]) }
    }
}
