/// A request's head as ranges of the bytes it was parsed from, and what those say about the connection.
struct ParsedHead: Hashable {
    struct Field: Hashable {
        var name: Range<Int>
        /// Without the white space around it.
        var value: Range<Int>
    }

    /// Where the body ends (RFC 9112 §6.3).
    enum Framing: Hashable {
        /// Zero where there is no body.
        case length(Int)
        case chunked
    }

    var method = 0..<0
    var target = 0..<0
    /// HTTP/1.0 or HTTP/1.1, as which every later minor version is treated (RFC 9110 §2.5).
    var isHTTP10 = false
    var fields: [Field] = []
    var framing = Framing.length(0)
    /// A Boolean value indicating whether the client keeps the connection open for another request (RFC 9112 §9.3).
    var keepsConnection = true
    /// A Boolean value indicating whether the client waits for 100 before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue = false
    /// A Boolean value indicating whether the request asks for another protocol, so that what follows may not be HTTP.
    var leavesHTTP = false
    /// Bytes in all, from the first to the empty line's end.
    var count = 0

    var hasBody: Bool { framing != .length(0) }
}
