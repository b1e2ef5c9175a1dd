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
        case stream(Stream)
        case done
    }

    private struct Stream {
        let body: BodyPump
        let isChunked: Bool
        /// The number of announced bytes that are missing, or `nil` if no length was announced.
        var rest: Int?
        /// The head, while it waits for the first bytes of the body.
        var head: Frame?
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
        case .stream(let stream): return next(of: stream)
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
            var stream = Stream(body: pump(body), isChunked: isChunked, rest: length)
            if response.headWaitsForBody && length != 0 {
                stream.head = frame
                return next(of: stream)
            }
            part = .stream(stream)
        }
        return .frame(frame)
    }

    private mutating func next(of stream: Stream) -> Next {
        var stream = stream
        part = .stream(stream)
        if stream.rest == 0 {
            part = .done
            return .end
        }
        switch stream.body.take() {
        case .later: return .later
        case .failed: return .failed
        case .end:
            // The stream ended before the announced length.
            guard stream.rest == nil else { return .failed }
            part = .done
            guard stream.isChunked else { return stream.head.map { .frame($0) } ?? .end }
            var frame = stream.head ?? Frame()
            frame.end = Self.lastChunk
            return .frame(frame)
        case .bytes(var data):
            var frame = stream.head ?? Frame()
            stream.head = nil
            if let rest = stream.rest {
                data = data.prefix(rest)
                stream.rest = rest - data.count
                if rest == data.count { stream.body.expectEnd() }
            }
            frame.body = data
            if stream.isChunked {
                frame.lines += (String(data.count, radix: 16) + "\r\n").utf8
                frame.end = Self.lineEnd
            }
            part = .stream(stream)
            return .frame(frame)
        }
    }
}
