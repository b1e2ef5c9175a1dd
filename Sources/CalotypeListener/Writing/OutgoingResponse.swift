import CalotypeHTTP
import Foundation

/// A response as it goes out: which framing, which lines, which bytes.
struct OutgoingResponse: Sendable {
    enum Body: Sendable {
        case none
        case bytes(Data)
        case file(FileSlice)
        /// - Parameter length: bytes that were announced; nil where the end says itself that it is one.
        case stream(HTTPBody, length: Int?, isChunked: Bool)
    }

    /// Status line and fields, without the empty line: those that differ from connection to connection follow.
    let head: [UInt8]
    let hasDate: Bool
    /// A Boolean value indicating whether the connection has to end with it.
    let isLast: Bool
    var body: Body

    /// - Returns: nil where there is nothing to send and the connection is to be closed.
    init?(_ response: ListenerResponse, isHead: Bool, isHTTP10: Bool) {
        if case .drop = response.content { return nil }
        if let problem = Self.problem(of: response) {
            self.init(ListenerResponse(status: 500, body: Data(problem.utf8)), .init(response.status), isHTTP10)
            return
        }
        self.init(response, Bodiless(response.status, isHead: isHead), isHTTP10)
    }

    /// A response that can go out any number of times, in answer to any request: all of its bytes are there, and it has
    /// as many as it says.
    init?(lasting response: ListenerResponse) {
        guard case .bytes = response.content, Self.problem(of: response) == nil, !Self.lies(response) else {
            return nil
        }
        self.init(response, isHead: false, isHTTP10: false)
    }

    /// Why it cannot be sent.
    private static func problem(of response: ListenerResponse) -> String? {
        guard (200...999).contains(response.status) else {
            return "The response has the status \(response.status), which cannot be sent.\n"
        }
        let bad = response.fields.first { !$0.canBeSent || $0.name == .transferEncoding }
        return bad.map { "The response has a field that cannot be sent: \($0.name)\n" }
    }

    /// Returns whether the handler announces another length than the body has.
    private static func lies(_ response: ListenerResponse) -> Bool {
        guard case .bytes(let data) = response.content, let length = response.fields.ownLength else { return false }
        return length != data.count && !Bodiless(response.status, isHead: false).sendsNone
    }
}

/// The rules of status and method for a response's body.
private struct Bodiless {
    let status: Int
    var isHead = false

    init(_ status: Int, isHead: Bool = false) {
        (self.status, self.isHead) = (status, isHead)
    }

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
        head = writer.bytes
        self.hasDate = hasDate
        isLast = framing.endsConnection || response.closesConnection || saysClose
        body = framing.body
    }

    /// How the client learns where the body ends.
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
    /// The line that tells the client; nil where the connection's end does.
    fileprivate var line: String? {
        if let length { return "Content-Length: \(length)" }
        return isChunked ? "Transfer-Encoding: chunked" : nil
    }
}

extension HTTPFields {
    /// The Content-Length that the handler set.
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
