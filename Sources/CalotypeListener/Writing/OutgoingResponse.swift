import CalotypeHTTP
import Foundation

/// A serialized response: its head, framing and body.
struct OutgoingResponse: Sendable {
    enum Body: Sendable {
        case none
        case bytes(Data)
        case file(FileSlice)
        /// - Parameter length: The announced length, or `nil` if the last chunk or the connection's end marks the end.
        case stream(HTTPBody, length: Int?, isChunked: Bool)
    }

    let status: Int
    /// The status line and fields, without the empty line: lines specific to the connection follow.
    private(set) var head: [UInt8]
    let hasDate: Bool
    /// Whether the connection has to end after this response.
    let isLast: Bool
    let headWaitsForBody: Bool
    var body: Body

    /// Creates the response, or a 500 if it cannot be sent; `nil` if the connection is to be closed without a response.
    init?(_ response: ListenerResponse, isHead: Bool, isHTTP10: Bool) {
        if case .drop = response.content { return nil }
        if let problem = Self.problem(of: response) {
            let error = ListenerResponse(status: 500, body: Data(problem.utf8))
            self.init(error, Bodiless(status: error.status, isHead: isHead), isHTTP10)
            return
        }
        self.init(response, Bodiless(status: response.status, isHead: isHead), isHTTP10)
    }

    /// Creates a response that can be sent any number of times, to any request. Returns `nil` unless the response is
    /// valid and its body is in memory and has the announced length.
    init?(lasting response: ListenerResponse) {
        guard case .bytes = response.content, Self.problem(of: response) == nil, !Self.lies(response) else {
            return nil
        }
        self.init(response, isHead: false, isHTTP10: false)
    }

    /// Adds fields to the head, except those that cannot be sent.
    mutating func add(_ fields: HTTPFields) {
        if fields.isEmpty { return }
        var writer = HeadWriter(continuing: head)
        for field in fields where field.canBeSent { writer.add(field) }
        head = writer.bytes
    }

    /// Returns the reason why the response cannot be sent, or `nil`.
    private static func problem(of response: ListenerResponse) -> String? {
        guard (200...999).contains(response.status) else {
            return "The response has the status \(response.status), which cannot be sent.\n"
        }
        let bad = response.fields.first { !$0.canBeSent || $0.name == .transferEncoding }
        return bad.map { "The response has a field that cannot be sent: \($0.name)\n" }
    }

    /// Returns `true` if the announced length differs from the body's.
    private static func lies(_ response: ListenerResponse) -> Bool {
        guard case .bytes(let data) = response.content, let length = response.fields.ownLength else { return false }
        return length != data.count && !Bodiless(status: response.status).sendsNone
    }
}

/// The properties of a response that forbid a body: the method HEAD, the status 204 or 304 (RFC 9110 §6.4.1).
private struct Bodiless {
    let status: Int
    var isHead = false

    var sendsNone: Bool { isHead || status == 204 || status == 304 }
}

extension OutgoingResponse {
    private init(_ response: ListenerResponse, _ rule: Bodiless, _ isHTTP10: Bool) {
        let framing = Framing(response, rule, isHTTP10)
        var writer = HeadWriter(status: response.status)
        var (hasDate, saysClose) = (false, false)
        for field in response.fields {
            if field.name == .contentLength { continue }
            if field.name == .date { hasDate = true }
            if field.isClose { saysClose = true }
            writer.add(field)
        }
        if let line = framing.line { writer.add(line) }
        status = response.status
        head = writer.bytes
        self.hasDate = hasDate
        headWaitsForBody = response.headWaitsForBody
        isLast = framing.endsConnection || response.closesConnection || saysClose
        body = framing.body
    }

    fileprivate struct Framing {
        var length: Int?
        var isChunked = false
        var endsConnection = false
        var body = Body.none

        init(_ response: ListenerResponse, _ rule: Bodiless, _ isHTTP10: Bool) {
            let own = response.fields.ownLength
            switch response.content {
            case .drop: break
            case _ where rule.status == 204: break
            case .bytes(let data) where rule.sendsNone:
                length = own ?? (rule.status == 304 && data.isEmpty ? nil : data.count)
            case .file(let slice) where rule.sendsNone:
                length = own ?? slice.range.count
            case .stream(_, let known) where rule.sendsNone:
                length = known ?? own
            case .bytes(let data):
                length = own ?? data.count
                endsConnection = length != data.count
                body = .bytes(data)
            case .file(let slice):
                length = own ?? slice.range.count
                endsConnection = length != slice.range.count
                body = .file(slice)
            case .stream(let stream, let known):
                length = known ?? own
                isChunked = length == nil && !isHTTP10
                endsConnection = length == nil && isHTTP10
                body = .stream(stream, length: length, isChunked: isChunked)
            }
        }
    }
}

extension OutgoingResponse.Framing {
    /// The header line for the framing, or `nil` if there is neither a length nor chunks.
    fileprivate var line: String? {
        if let length { return "Content-Length: \(length)" }
        return isChunked ? "Transfer-Encoding: chunked" : nil
    }
}

extension HTTPFields {
    /// The Content-Length set by the handler.
    fileprivate var ownLength: Int? { firstValue(of: .contentLength)?.asDigits }
}

extension CaselessString {
    fileprivate static let contentLength: CaselessString = "Content-Length"
    fileprivate static let transferEncoding: CaselessString = "Transfer-Encoding"
    fileprivate static let connection: CaselessString = "Connection"
    fileprivate static let date: CaselessString = "Date"
    fileprivate static let close: CaselessString = "close"
}

extension HTTPFields.Field {
    fileprivate var isClose: Bool {
        name == .connection && value.split(separator: .comma).contains { CaselessString($0.trimmed) == .close }
    }
}
