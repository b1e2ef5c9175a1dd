import CalotypeHTTP
import Foundation

extension Connection {
    /// The number of bytes to send before other connections get their turn.
    private static let bytesAtOnce = 1 << 20

    func answer(_ response: ListenerResponse) {
        guard let current else { return }
        // A handler that has ignored the failure of the body has nothing to answer with.
        if current.upload?.wasGivenUp == true, !current.isAnswered, response.status < 400 { return refuse(.slowBody) }
        send(OutgoingResponse(response, isHead: current.isHead, isHTTP10: current.isHTTP10))
    }

    /// - Parameter response: The response, or `nil` to close the connection without one.
    func send(_ response: OutgoingResponse?) {
        guard let response else { return end(.dropped) }
        guard let request = current, !request.isAnswered else { return }
        current?.status = response.status
        // A client that waits for a 100 and gets the response instead may or may not send its body: the next bytes may
        // be either a body or a request, so the connection has to end.
        let isUncertain = request.expectsContinue && !request.saidContinue && !request.isBodyComplete
        let isLast = request.isLast || response.isLast || isUncertain || thread.core.isDraining
        current?.isLast = isLast
        let connection: ClosingLines.Connection = isLast ? .closed : request.isHTTP10 ? .keptByWish : .kept
        let lines = thread.lines(connection, hasDate: response.hasDate)
        current?.bodyStart = sentBytes + response.head.count + lines.count
        writer.begin(response, lines)
        send()
    }

    /// Sends frames until the kernel's buffer is full.
    func send() {
        var sent = 0
        while canSend, isSending {
            guard sent < Self.bytesAtOnce else { return thread.hasMoreToDo(id) }
            guard nextFrame(), let frame else { return }
            guard let taken = socket.send(frame) else { return end(.clientLeft) }
            sent += taken.count
            sentBytes += taken.count
            self.frame?.advance(by: taken.count)
            if self.frame?.isSent == true { self.frame = nil } else if taken.isBlocked { canSend = false }
        }
    }

    private var isSending: Bool {
        switch phase {
        case .open, .closing: true
        case .lingering, .closed: false
        }
    }

    /// - Returns: `true` if there is a frame to send now.
    private func nextFrame() -> Bool {
        guard frame == nil else { return true }
        current?.exchange?.interimWasSent()
        switch writer.next(pump: { BodyPump($0, for: exchange()) }) {
        case .frame(let next): frame = next
        case .later: return false
        case .end: answerWasSent()
        case .failed: end(.dropped, because: "the body failed")
        }
        return frame != nil
    }

    private func answerWasSent() {
        if case .closing = phase { return close(isInStep: false) }
        current?.isSent = true
        current?.upload?.discardRest()
        if current?.isBodyComplete == true || current?.isLast == true { concludeAnswer() }
    }

    /// Continues with the next request, or closes the connection, after both the request and its response are complete.
    func concludeAnswer() {
        if let current, current.isLast { return close(isInStep: current.isBodyComplete) }
        finishCurrent(.complete)
    }

    func finishCurrent(_ outcome: Listener.Outcome, because reason: String = "") {
        guard let ended = current else { return }
        current = nil
        writer.reset()
        ended.upload?.fail()
        ended.exchange?.end()
        if ended.isPresented { report(ended, ended.isSent ? .complete : outcome, reason) }
        thread.core.requestEnded()
    }

    private func report(_ ended: CurrentRequest, _ outcome: Listener.Outcome, _ reason: String) {
        let options = thread.core.options
        options.onEnd?(ended.id, outcome)
        guard outcome == .dropped, let status = ended.status, let onCut = options.onCut else { return }
        let cut = Listener.Cut(status: status, sentBytes: max(sentBytes - ended.bodyStart, 0), reason: reason)
        onCut(ended.request(upload: nil, client: socket.client), cut)
    }
}
