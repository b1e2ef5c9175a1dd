import CalotypeHTTP
import Foundation

extension Connection {
    private var core: ListenerCore { thread.core }

    private static let continueLine = Array("HTTP/1.1 100 \(statusPhrase(100))\r\n\r\n".utf8)

    // MARK: Parts of a request

    func takeHead(_ head: ParsedHead, of bytes: Span<UInt8>) {
        let request = CurrentRequest(id: core.requestBegan(), head, of: bytes)
        current = request
        watch.requestBegan(now: thread.now)
        guard head.hasBody else { return }
        if core.options.streamsBodies {
            present(UploadPump(for: exchange()))
        } else {
            sayContinue()
        }
    }

    func takeBody(_ bytes: Span<UInt8>) {
        let data = bytes.withUnsafeBytes { Data($0) }
        if let upload = current?.upload {
            upload.take(data)
        } else {
            current?.body.append(data)
        }
    }

    func takeEnd() {
        current?.isBodyComplete = true
        current?.upload?.finish()
        if current?.isPresented == false { present() }
        if current?.isSent == true { concludeAnswer() }
    }

    // MARK: Calling the handler

    /// - Parameter upload: The pump of a body that has yet to arrive, or `nil` if the body is complete.
    private func present(_ upload: UploadPump? = nil) {
        guard let current else { return }
        self.current?.upload = upload
        self.current?.isPresented = true
        take(core.answer(current.request(upload: upload?.makeBody(), client: socket.client)))
    }

    private func take(_ answer: ListenerAnswer) {
        switch answer.kind {
        case .now(let response): self.answer(response)
        case .ready(let prepared, let fields):
            send(
                prepared.outgoing(
                    isHead: current?.isHead == true, isHTTP10: current?.isHTTP10 == true, adding: fields))
        case .later(let work):
            sayContinue()
            let exchange = exchange()
            let responder = InterimResponder(exchange, isHTTP10: current?.isHTTP10 == true)
            exchange.start { exchange.deliver(await work(responder)) }
        }
    }

    /// Sends a 100 if the client waits for it before sending the body (RFC 9110 §10.1.1).
    private func sayContinue() {
        guard let request = current, request.expectsContinue, !request.isBodyComplete, !request.saidContinue else {
            return
        }
        current?.saidContinue = true
        writer.addInterim(Self.continueLine)
        send()
    }

    func exchange() -> ClientExchange {
        if let exchange = current?.exchange { return exchange }
        let exchange = ClientExchange(id: current?.id ?? 0, connection: id, loop: thread.events)
        current?.exchange = exchange
        return exchange
    }

    // MARK: Rejecting a request

    /// Ends the connection with a response that names the reason.
    func refuse(_ fault: RequestFault) {
        // While a response is being sent, the client would take this one for a part of that response.
        if let current, current.isAnswered { return end(.dropped, because: fault.reason) }
        finishCurrent(.dropped)
        let response = ListenerResponse(
            status: fault.status, fields: ["Content-Type": "text/plain; charset=utf-8"],
            body: Data("\(fault.reason)\n".utf8))
        phase = .closing
        guard let outgoing = OutgoingResponse(response, isHead: false, isHTTP10: false) else { return end(.dropped) }
        thread.core.options.onRefusal?(fault.status, fault.reason)
        writer.begin(outgoing, thread.lines(.closed, hasDate: false))
        send()
    }
}
