import CalotypeHTTP
import Foundation

/// The output of a connection in order: interim responses, then the head and body of the final one.
struct ResponseWriter {
    enum Next {
        case frame(Frame)
        /// No bytes yet; the exchange notifies the connection when there are more.
        case later
        case end
        /// The body failed or ended too early, so that the connection has to end.
        case failed
    }

    private enum Part {
        case none
        case head(OutgoingResponse, [UInt8])
        case stream(BodyPump, rest: Int?, isChunked: Bool)
        case done
    }

    private var part = Part.none
    private var interim: [UInt8] = []

    /// Whether the response's body is still streaming.
    var isStreaming: Bool { if case .stream = part { true } else { false } }

    mutating func addInterim(_ bytes: [UInt8]) { interim += bytes }

    /// - Parameter lines: The last lines of the head, with the empty line.
    mutating func begin(_ response: OutgoingResponse, _ lines: [UInt8]) { part = .head(response, lines) }

    mutating func reset() { self = ResponseWriter() }

    /// - Parameter pump: Creates the pump of a streamed body.
    mutating func next(pump: (HTTPBody) -> BodyPump) -> Next {
        if !interim.isEmpty {
            defer { interim = [] }
            return .frame(Frame(head: interim))
        }
        switch part {
        case .none: return .later
        case .head(let response, let lines): return nextOfHead(response, lines, pump)
        case .stream(let body, let rest, let isChunked): return nextOfStream(body, rest, isChunked)
        case .done: return .end
        }
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let lineEnd = Array("\r\n".utf8)

    private mutating func nextOfHead(
        _ response: OutgoingResponse, _ lines: [UInt8], _ pump: (HTTPBody) -> BodyPump
    ) -> Next {
        var frame = Frame(head: response.head, lines: lines)
        part = .done
        switch response.body {
        case .none: break
        case .bytes(let data): frame.body = data
        case .file(let slice): frame.file = slice
        case .stream(let body, let length, let isChunked):
            part = .stream(pump(body), rest: length, isChunked: isChunked)
        }
        return .frame(frame)
    }

    private mutating func nextOfStream(_ body: BodyPump, _ rest: Int?, _ isChunked: Bool) -> Next {
        if rest == 0 {
            part = .done
            return .end
        }
        switch body.take() {
        case .later: return .later
        case .failed: return .failed
        case .end:
            // The stream ended before the announced length.
            guard rest == nil else { return .failed }
            part = .done
            return isChunked ? .frame(Frame(head: Self.lastChunk)) : .end
        case .bytes(let data):
            let data = rest.map { data.prefix($0) } ?? data
            if let rest {
                part = .stream(body, rest: rest - data.count, isChunked: false)
                if rest == data.count { body.expectEnd() }
            }
            guard isChunked else { return .frame(Frame(body: data)) }
            let size = Array((String(data.count, radix: 16) + "\r\n").utf8)
            return .frame(Frame(head: size, body: data, end: Self.lineEnd))
        }
    }
}
