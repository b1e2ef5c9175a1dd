/// A request's head as ranges of the received bytes, with the body's framing and the options for the connection.
struct ParsedHead: Hashable {
    struct Field: Hashable {
        var name: Range<Int>
        /// The value without surrounding white space.
        var value: Range<Int>
    }

    /// The framing that determines where the body ends (RFC 9112 §6.3).
    enum Framing: Hashable {
        /// The length of the body; 0 if there is no body.
        case length(Int)
        case chunked
    }

    var method = 0..<0
    var target = 0..<0
    /// Whether the version is HTTP/1.0. Later minor versions count as HTTP/1.1 (RFC 9110 §2.5).
    var isHTTP10 = false
    var fields: [Field] = []
    var framing = Framing.length(0)
    /// Whether the client keeps the connection open for another request (RFC 9112 §9.3).
    var keepsConnection = true
    /// Whether the client waits for a 100 (Continue) before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue = false
    /// Whether the request is a CONNECT or has an Upgrade field, so that the bytes after it may not be HTTP.
    var leavesHTTP = false
    /// The length of the head in bytes, the empty line included.
    var count = 0

    var hasBody: Bool { framing != .length(0) }
}
