@testable import CalotypeListener

/// The results of a parser for some bytes.
struct RequestReading: Hashable, CustomStringConvertible {
    /// Each complete request: "POST /a <body>", with its version if that is 1.0.
    var requests: [String] = []
    /// The status of the refusal.
    var refused: Int?
    /// Whether bytes of an incomplete request are left.
    var isUnfinished = false
    /// The field lines of the last head: "name=value".
    var fields: [String] = []
    var last = ParsedHead()

    var description: String {
        "\(requests)\(refused.map { " refused with \($0)" } ?? "")\(isUnfinished ? " and more to come" : "") \(fields)"
    }

    /// Gives the parser the pieces one after the other, as a connection would.
    init(_ pieces: [ArraySlice<UInt8>], _ limits: RequestLimits) {
        var parser = RequestParser(limits)
        var rest: [UInt8] = []
        var open: OpenRequest?
        do throws(RequestFault) {
            for piece in pieces {
                rest += piece
                try take(&rest, &parser, &open)
            }
            isUnfinished = open != nil || !rest.isEmpty
        } catch {
            refused = error.status
        }
    }

    private struct OpenRequest {
        var line = ""
        var body: [UInt8] = []

        var description: String { line + (body.isEmpty ? "" : " <\(RequestReading.text(body[...]))>") }
    }

    private mutating func take(
        _ rest: inout [UInt8], _ parser: inout RequestParser, _ open: inout OpenRequest?
    ) throws(RequestFault) {
        var start = 0
        defer { rest.removeFirst(start) }
        while true {
            let bytes = rest[start...]
            let step = try parser.next(in: bytes.span)
            switch step {
            case .needsMore:
                start += parser.consumed
                return
            case .head:
                let head = parser.head
                func text(_ range: Range<Int>) -> String {
                    Self.text(bytes.dropFirst(range.lowerBound).prefix(range.count))
                }
                open = OpenRequest(line: "\(text(head.method)) \(text(head.target))\(head.isHTTP10 ? " 1.0" : "")")
                fields = head.fields.map { "\(text($0.name))=\(text($0.value))" }
                last = head
            case .body(let range):
                open?.body += bytes.dropFirst(range.lowerBound).prefix(range.count)
            case .end:
                requests.append(open?.description ?? "")
                open = nil
            }
            start += parser.consumed
        }
    }

    /// Returns each byte as the character with its number.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
