import CMicroHTTPD
import CalotypeHTTP
import Foundation

/// Turns a response into the library's: which framing, which lines, which length.
struct ResponseWriter {
    let response: ListenerResponse
    let isHead: Bool

    /// - Parameters:
    ///   - exchange: what a streamed body waits on.
    ///   - onDrop: called when the answer is to close the connection, now or in mid-body.
    func queue(on connection: OpaquePointer, exchange: () -> Exchange, onDrop: @escaping () -> Void) -> MHD_Result {
        if case .drop = response.content {
            onDrop()
            return .NO
        }
        guard (200...999).contains(response.status), let reply = makeReply(exchange, onDrop) else {
            onDrop()
            return .NO
        }
        if let refused = addLines(to: reply) { return queueFailure(refused, on: connection) }
        return reply.queue(on: connection, status: response.status)
    }

    private var sendsNoBody: Bool { isHead || response.status == 304 || response.status == 204 }

    /// What the handler's own Content-Length says.
    private var ownLength: Int? {
        response.fields["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private func makeReply(_ exchange: () -> Exchange, _ onDrop: @escaping () -> Void) -> Reply? {
        switch response.content {
        case .drop: nil
        case _ where sendsNoBody: makeBodiless()
        case .bytes(let data): makeReply(data, onDrop)
        case .stream(let body, let length):
            Reply(reader: BodyPump(body, for: exchange()), length: (length ?? ownLength).map(UInt64.init))
        }
    }

    /// The length the body would have had, and nothing that is ever read.
    private func makeBodiless() -> Reply? {
        let length: Int? =
            switch response.content {
            case .bytes(let data): ownLength ?? (response.status == 304 ? nil : data.count)
            case .stream(_, let length): length ?? ownLength
            case .drop: nil
            }
        let reply = Reply(reader: DataReader(Data()), length: length.map(UInt64.init))
        // Of unknown length, the library would write a stray last chunk and put keep-alive out of step.
        if length == nil, isHead { reply?.set(.RF_HTTP_1_0_COMPATIBLE_STRICT) }
        return reply
    }

    private func makeReply(_ data: Data, _ onDrop: @escaping () -> Void) -> Reply? {
        if let announced = ownLength, announced > data.count {
            onDrop()
            return Reply(reader: DataReader(data), length: UInt64(announced))
        }
        return Reply.isSmall(data)
            ? Reply(bytes: data) : Reply(reader: DataReader(data), length: UInt64(data.count))
    }

    /// Whether Content-Length says less than what follows.
    private var understates: Bool {
        guard case .bytes(let data) = response.content, !sendsNoBody, let ownLength else { return false }
        return ownLength < data.count
    }

    /// Returns the line that the library refused, if there is one.
    private func addLines(to reply: borrowing Reply) -> HTTPFields.Field? {
        if understates { reply.set(.RF_INSANITY_HEADER_CONTENT_LENGTH) }
        for line in response.fields {
            let isFraming = line.name.equalsIgnoringASCIICase("Content-Length") && !understates
            if !isFraming && !reply.add(line.name, line.value) { return line }
        }
        if response.closesConnection || understates { _ = reply.add("Connection", "close") }
        return nil
    }

    private func queueFailure(_ refused: HTTPFields.Field, on connection: OpaquePointer) -> MHD_Result {
        let text = "The response has a field that cannot be sent: \(refused.name)\n"
        guard let reply = Reply(bytes: Data(text.utf8)) else { return .NO }
        return reply.queue(on: connection, status: 500)
    }
}
