import CalotypeFuzzSupport
import Foundation

@testable import CalotypeListener

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
    Seeds.writeIfAsked {
        [
            "\r\nGET /a?b HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close, x\r\nX-A: \t b \r\n\r\n",
            "POST http://a:80/b HTTP/1.1\r\nhost: a%20b\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabcGET",
            "PUT / HTTP/1.1\r\nHost:\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\\\"\" ;c\r\nabc\r\n0\r\nX: y\r\n\r\n",
            "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nOPTIONS * HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ].map { Data($0.utf8) }
    }
}

/// Parses a connection's requests at once, in two pieces and byte by byte. All three results must be equal, and every
/// head complete.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let data = [UInt8](input(bytes, count))
    let whole = Connection([data[...]])
    let cut = data.isEmpty ? 0 : Int(data[data.count / 2]) % data.count
    require(Connection([data[..<cut], data[cut...]]) == whole, "the requests differ when cut at \(cut)")
    require(Connection(data.indices.map { data[$0...$0] }) == whole, "the requests differ byte by byte")
    return 0
}

/// The parser's results for the bytes of a connection.
private struct Connection: Equatable {
    struct Request: Equatable {
        let head: ParsedHead
        let bytes: ArraySlice<UInt8>
        var body: [UInt8] = []
        var isComplete = false
    }

    private static let limits: RequestLimits = {
        var limits = RequestLimits()
        (limits.target, limits.head, limits.fields, limits.body, limits.trailers) = (200, 1000, 20, 500, 100)
        return limits
    }()

    var requests: [Request] = []
    var fault: RequestFault?

    init(_ pieces: [ArraySlice<UInt8>]) {
        var parser = RequestParser(Self.limits)
        var rest: [UInt8] = []
        do throws(RequestFault) {
            for piece in pieces {
                rest += piece
                try take(&rest, &parser)
            }
        } catch {
            fault = error
        }
    }

    private mutating func take(_ rest: inout [UInt8], _ parser: inout RequestParser) throws(RequestFault) {
        while true {
            let step = try parser.next(in: rest.span)
            require(parser.consumed <= rest.count, "more is consumed than there is")
            switch step {
            case .head:
                let request = Request(head: parser.head, bytes: rest[..<parser.consumed])
                check(request)
                requests.append(request)
            case .body(let range):
                require(!range.isEmpty && range.upperBound <= parser.consumed, "a piece of a body is not consumed")
                requests[requests.count - 1].body += rest[range]
            case .end:
                requests[requests.count - 1].isComplete = true
                checkBody(requests[requests.count - 1])
            case .needsMore: break
            }
            rest.removeFirst(parser.consumed)
            if step == .needsMore { return }
        }
    }

    /// Rebuilds the head from its parsed parts and compares it with the input, except for white space around values.
    private func check(_ request: Request) {
        let head = request.head
        func text(_ range: Range<Int>) -> [UInt8] { Array(request.bytes[range]) }
        var lines = [text(head.method) + [0x20] + text(head.target) + [0x20] + Array("HTTP/1.".utf8)]
        lines += head.fields.map { text($0.name) + [0x3A] + text($0.value) }
        for line in lines { require(!line.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "a line break in a line") }
        var arrived = request.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        require(arrived.allSatisfy { $0.isEmpty || $0.last == 0x0D }, "a line ends in a bare line feed")
        if arrived.first == [0x0D] { arrived.removeFirst() }
        require(
            arrived.count == lines.count + 2,
            "the head has \(arrived.count) lines, of which \(lines.count) were handed out")
        require(
            arrived[0].starts(with: lines[0]) && arrived[0].count == lines[0].count + 2, "the request line is another")
        for (line, field) in zip(arrived.dropFirst(), lines.dropFirst()) {
            let value = line.dropFirst(field.firstIndex(of: 0x3A).map { $0 + 1 } ?? 0)
            let blanks = value.filter { $0 == 0x20 || $0 == 0x09 }.count
            require(line.starts(with: field.prefix { $0 != 0x3A }), "a field has another name")
            require(field.count + blanks + 1 >= line.count, "a field lost more than white space")
        }
    }

    private func checkBody(_ request: Request) {
        if case .length(let length) = request.head.framing {
            require(request.body.count == length, "a body has another length than was announced")
        }
        require(request.body.count <= Self.limits.body, "a body is larger than the limit")
    }
}
