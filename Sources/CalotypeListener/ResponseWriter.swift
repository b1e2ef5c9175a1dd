import CMicroHTTPD
import CalotypeHTTP
import Foundation

/// Turns a response into the library's: which framing, which lines, which length.
struct ResponseWriter {
    let response: ListenerResponse
    let isHead: Bool

    /// - Parameter exchange: what a streamed body waits on.
    /// - Returns: nil when there is nothing to send and the connection is to be closed.
    func queue(on connection: OpaquePointer, exchange: () -> Exchange) -> MHD_Result? {
        if case .drop = response.content { return nil }
        guard (200...999).contains(response.status) else {
            return queueFailure(
                "The response has the status \(response.status), which cannot be sent.\n", on: connection)
        }
        guard let reply = makeReply(exchange) else { return nil }
        if let refused = addLines(to: reply) {
            return queueFailure("The response has a field that cannot be sent: \(refused.name)\n", on: connection)
        }
        return reply.queue(on: connection, status: response.status)
    }

    /// The library's response, where it can be sent any number of times: its status and fields can be sent, and all of
    /// its bytes are there.
    func makeLasting() -> Reply? {
        guard case .bytes(let data) = response.content, (200...999).contains(response.status), !sendsNoBody, !lies,
            let reply = Reply.isSmall(data) ? Reply(bytes: data) : Reply(held: data), addLines(to: reply) == nil
        else { return nil }
        return reply
    }

    private var sendsNoBody: Bool { isHead || response.status == 304 || response.status == 204 }

    /// What the handler's own Content-Length says.
    private var ownLength: Int? {
        response.fields["Content-Length"]?.asDigits
    }

    private func makeReply(_ exchange: () -> Exchange) -> Reply? {
        switch response.content {
        case .drop: nil
        case _ where sendsNoBody: makeBodiless()
        case .bytes(let data) where lies: makeLie(data)
        case .bytes(let data) where Reply.isSmall(data): Reply(bytes: data)
        case .bytes(let data): Reply(held: data)
        case .stream(let body, let length):
            Reply(reader: BodyPump(body, for: exchange()), length: (length ?? ownLength).map(UInt64.init))
        }
    }

    /// The length the body would have had, and nothing that is ever read.
    private func makeBodiless() -> Reply? {
        if response.status == 204 { return Reply(bytes: Data()) }
        let reply = Reply(reader: DataReader(Data()), length: lengthOfMissingBody.map(UInt64.init))
        // Of unknown length, the library would write a stray last chunk and put keep-alive out of step.
        if lengthOfMissingBody == nil { reply?.set(.RF_HTTP_1_0_COMPATIBLE_STRICT) }
        return reply
    }

    private var lengthOfMissingBody: Int? {
        switch response.content {
        case .bytes(let data): ownLength ?? (response.status == 304 && data.isEmpty ? nil : data.count)
        case .stream(_, let length): length ?? ownLength
        case .drop: nil
        }
    }

    /// Bytes up to the end of the connection, so that the library writes no length of its own beside the handler's.
    private func makeLie(_ data: Data) -> Reply? {
        let reply = Reply(reader: DataReader(data), length: nil)
        reply?.set([.RF_HTTP_1_0_COMPATIBLE_STRICT, .RF_INSANITY_HEADER_CONTENT_LENGTH])
        return reply
    }

    /// Whether the handler announces another length than the body has.
    private var lies: Bool {
        guard case .bytes(let data) = response.content, !sendsNoBody, let ownLength else { return false }
        return ownLength != data.count
    }

    /// Returns the line that the library refused, if there is one.
    private func addLines(to reply: borrowing Reply) -> HTTPFields.Field? {
        for line in response.fields {
            let isOurs = line.name == "Content-Length" && !lies
            if !isOurs && !reply.add(line.name, line.value) { return line }
        }
        if response.closesConnection { _ = reply.add("Connection", "close") }
        return nil
    }

    private func queueFailure(_ text: String, on connection: OpaquePointer) -> MHD_Result {
        guard let reply = Reply(bytes: Data(text.utf8)) else { return .NO }
        return reply.queue(on: connection, status: 500)
    }
}
