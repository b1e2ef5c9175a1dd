package import CalotypeHTTP
package import Foundation

/// A client's request: its head, and its body either complete or as a stream.
package struct ListenerRequest: Sendable {
    /// The number of the request, counted from 1 by each listener. ``Listener/Options/onEnd`` receives the same number.
    package let id: UInt64
    package let method: HTTPMethod
    /// The target of the request line, still percent-encoded. A proxy receives the absolute form.
    package let target: String
    /// "1.0" or "1.1".
    package let version: String
    /// All field lines in order, duplicates included.
    package let fields: HTTPFields
    /// The body without its transfer coding; empty if ``upload`` contains it.
    package let body: Data
    /// The body as a stream, or `nil` if there is no body or ``Listener/Options/streamsBodies`` is `false`.
    package var upload: HTTPBody?
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

    /// The target up to its first question mark, still percent-encoded.
    package var path: String { target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target }

    /// The target after its first question mark, still percent-encoded, or `nil` without a question mark.
    package var query: String? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[target.utf8.index(after: $0)...]) }
    }
}
