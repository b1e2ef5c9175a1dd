import CalotypeBase
import CalotypeHTTP
import Foundation

struct ResponseHead: Sendable, Equatable {
    var version: ByteString
    var status: Int
    var fields: HTTPFields

    /// Whether Transfer-Encoding names only unknown codings. The request has no TE field, so the server cannot have
    /// applied one, and the body ends when the connection closes (RFC 9112 §6.3).
    var isCodedByNobody: Bool {
        guard let codings = fields["Transfer-Encoding"]?.split(separator: 0x2C) else { return false }
        let names = codings.compactMap { $0.split(separator: 0x3B, maxSplits: 1).first?.trimmed }
        return names.allSatisfy { !ResponseHead.codings.contains(CaselessString($0)) }
    }

    private static let codings: [CaselessString] = [
        "chunked", "gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd",
    ]
}

/// A parser for the head of the final response, line by line as curl delivers it. It returns interim heads (1xx) at
/// their end (RFC 9110 §15.2), joins folded lines with a space (RFC 9112 §5.2), and ignores lines after the head, which
/// are trailers. It skips a line without a name, as browsers do, and rejects control characters, invalid names, a folded
/// first line and ambiguous framing.
struct ResponseHeadParser {
    private let limit: Int
    private var size = 0
    private var version: ByteString?
    private var status = 0
    private var lines: [HTTPFields.Field] = []
    /// Whether the latest line has no name, so that folded lines after it belong to no field.
    private var isSkipping = false
    private(set) var head: ResponseHead?

    /// - Parameter limit: The maximum size of the head, in bytes, interim heads included.
    init(limit: Int) {
        self.limit = limit
    }

    /// Parses a line, line end included. Returns the interim head that ends with this line, or `nil`.
    @discardableResult
    mutating func take(_ line: UnsafeRawBufferPointer) throws(TransportError) -> ResponseHead? {
        guard head == nil else { return nil }
        size += line.count
        guard size <= limit else { throw .malformed("the response's head is larger than \(limit) bytes") }
        let text = line.withoutLineEnd
        if version != nil && text.isEmpty { return try endHead() }
        guard text.isFieldContent else { throw .malformed("the response's head contains a control character") }
        if version == nil {
            try takeStatusLine(text)
        } else if text[0] == 0x20 || text[0] == 0x09 {
            try takeFolded(text)
        } else {
            try takeField(text)
        }
        return nil
    }

    private mutating func takeStatusLine(_ text: UnsafeRawBufferPointer) throws(TransportError) {
        let words = text.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3,
            let number = Int(String(decoding: words[1], as: UTF8.self)), (100...999).contains(number)
        else { throw .malformed("the response does not start with an HTTP status line") }
        // RFC 9110 §15.2.2: 101 answers Upgrade, which no request sends. The following bytes would not be HTTP.
        guard number != 101 else { throw .malformed("the server switches protocols without being asked") }
        version = ByteString(bytes: words[0].dropFirst(5))
        status = number
    }

    private mutating func takeField(_ text: UnsafeRawBufferPointer) throws(TransportError) {
        guard let colon = text.firstIndex(of: 0x3A) else {
            throw .malformed("the response's head has a line without a colon")
        }
        isSkipping = colon == 0
        if isSkipping { return }
        let written = UnsafeRawBufferPointer(rebasing: text[..<colon])
        // RFC 9112 §5.1: a proxy removes white space before the colon.
        let nameBytes = written.withoutOuterBlanks
        let name = CaselessString(ByteString(bytes: nameBytes))
        guard nameBytes.isHTTPToken, nameBytes.count == written.count || !name.isFraming else {
            throw .malformed("the response's head has a field whose name is \"\(name.string.prefix(80))\"")
        }
        let value = ByteString(bytes: UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).withoutOuterBlanks)
        lines.append(HTTPFields.Field(name: name, value: value))
    }

    /// Appends a folded line. Throws if it continues a framing field: curl would frame the body without that line.
    private mutating func takeFolded(_ text: UnsafeRawBufferPointer) throws(TransportError) {
        if isSkipping { return }
        guard let name = lines.last?.name else {
            throw .malformed("the response's head begins with a folded line")
        }
        guard !name.isFraming else { throw .malformed("\(name) is folded") }
        let more = ByteString(bytes: text.withoutOuterBlanks)
        if lines[lines.count - 1].value.isEmpty {
            lines[lines.count - 1].value = more
        } else if !more.isEmpty {
            lines[lines.count - 1].value.append(" \(more)")
        }
    }

    private mutating func endHead() throws(TransportError) -> ResponseHead? {
        defer {
            (version, lines, isSkipping) = (nil, [], false)
        }
        guard let version else { return nil }
        let fields = HTTPFields(lines)
        guard status >= 200 else { return ResponseHead(version: version, status: status, fields: fields) }
        try checkLength(fields)
        try checkCodings(fields)
        head = ResponseHead(version: version, status: status, fields: fields)
        return nil
    }

    /// Throws if Content-Length is invalid, has several values (RFC 9110 §8.6), or appears with Transfer-Encoding,
    /// which may be request smuggling (RFC 9112 §6.3).
    private func checkLength(_ fields: HTTPFields) throws(TransportError) {
        guard let length = fields["Content-Length"] else { return }
        guard fields["Transfer-Encoding"] == nil else {
            throw .malformed("the response has both Content-Length and Transfer-Encoding")
        }
        guard fields.contentLength != nil else { throw .malformed("Content-Length is \"\(length.string.prefix(80))\"") }
    }

    /// Throws unless `chunked` is applied once and last, or not at all (RFC 9112 §6.1 and §6.3). Recipients might
    /// interpret any other field differently, and would disagree about the body's end.
    private func checkCodings(_ fields: HTTPFields) throws(TransportError) {
        guard let field = fields["Transfer-Encoding"] else { return }
        let codings = field.split(separator: 0x2C).map { $0.trimmed.lowercasedASCII }
        let areNamed = codings.allSatisfy { $0.split(separator: 0x3B).allSatisfy { !$0.isEmpty } }
        let alike = codings.count { $0.contains("chunked") }
        let isClear = alike == 0 || alike == 1 && codings.last == "chunked" && !codings.contains("identity")
        guard areNamed, isClear else { throw .malformed("Transfer-Encoding is \"\(field.string.prefix(80))\"") }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}

extension CaselessString {
    fileprivate var isFraming: Bool { self == "Content-Length" || self == "Transfer-Encoding" }
}

extension TransportError {
    static func malformed(_ what: String) -> TransportError { TransportError(.malformedResponse, what) }
}
