import CCurl
import CalotypeBase
import CalotypeHTTP

/// The loop of curl's thread, which runs until the transport is gone. One iteration is a turn. Waiting tasks are
/// resumed at the end of a turn, not in curl's callbacks, so that they receive a small body with its head.
final class CurlEngine {
    /// The number of bytes of bodies that end a turn.
    private static let bytesAtOnce = 512 << 10

    private let loop: CurlLoop
    private let multi: CurlMulti
    private let context: CurlContext
    private var turn: CurlTurn { context.turn }
    private let naming: CurlNaming
    private let queue: TransferQueue<CurlExchange, HTTPOrigin>
    private var gate: StartGate
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private var finished = 0
    private var nextDeadline = UInt64.max

    init(loop: CurlLoop, multi: CurlMulti, resolver: NameResolver) {
        self.loop = loop
        naming = CurlNaming(resolver, loop)
        self.multi = multi
        context = CurlContext(loop.options, multi, loop.room)
        queue = TransferQueue(
            limit: loop.options.transferLimit, limitPerOrigin: loop.options.connectionsPerHost,
            streamLimit: loop.options.streamsPerHost, lendingLimit: loop.options.lendingLimit)
        gate = StartGate(loop.options.admission, now: monotonicNanoseconds()) { [weak loop] in loop?.post(.goOn) }
    }

    func run() {
        while takeTurn() {}
        endAll()
    }

    /// - Returns: `false` after the last turn.
    private func takeTurn() -> Bool {
        if !transfers.isEmpty { transferBytes() }
        turn.now = monotonicNanoseconds()
        endFinished()
        endOverdue()
        // Perform the commands before assigning free slots, so that new priorities apply.
        guard let requests = takeCommands(maySleep: false) else { return false }
        for command in requests { perform(command) }
        let hasResumed = handOver()
        let isBusy = startWaiting() || hasResumed
        guard let more = takeCommands(maySleep: !isBusy) else { return false }
        for command in more { perform(command) }
        if more.isEmpty && !isBusy { sleep() }
        return true
    }

    /// Lets curl read and write. Without TLS, curl reads one buffer of a connection in each call: bodies that have filled it
    /// go on, up to a limit, so that no other transfer waits long.
    private func transferBytes() {
        var running: Int32 = 0
        turn.received = 0
        repeat {
            turn.isFilling = false
            turn.round &+= 1
            // curl's callbacks read the time: that of the previous turn would be as old as the sleep in between.
            turn.now = monotonicNanoseconds()
            curl_multi_perform(multi.pointer, &running)
        } while turn.isFilling && turn.received < Self.bytesAtOnce
    }

    private func takeCommands(maySleep: Bool) -> [CurlLoop.Command]? {
        defer { finished = 0 }
        return loop.takeCommands(
            finished: finished, waiting: queue.waiting + naming.count, slots: queue.slots, maySleep: maySleep)
    }

    // MARK: Commands

    private func perform(_ command: CurlLoop.Command) {
        switch command {
        case .start(let exchange): admit(exchange)
        case .cancel(let exchange): drop(exchange)
        case .resume(let exchange): transfers[ObjectIdentifier(exchange)].map(resume)
        case .resumeUpload(let exchange):
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
            transfer.noteUploadResumed()
            goOn(transfer)
        case .takeNames(let exchange, let answer):
            if let outcome = naming.take(answer, for: exchange, at: turn.now) { perform(outcome, exchange) }
        case .reprioritize(let exchange): queue.move(exchange, to: exchange.priority?.value ?? .normal)
        case .free(let share): queue.free(share)
        case .goOn: gate.noteRoom()
        }
    }

    private func admit(_ exchange: CurlExchange) {
        // If the cancellation overtook the submission, the command to drop the exchange came first and found nothing.
        guard !exchange.isCancelled else {
            finished += 1
            return
        }
        perform(naming.begin(exchange, at: turn.now), exchange)
    }

    private func perform(_ outcome: CurlNaming.Outcome, _ exchange: CurlExchange) {
        switch outcome {
        case .ready: enqueue(exchange)
        case .waits: break
        case .failed(let error): refuse(exchange, error)
        }
    }

    private func refuse(_ exchange: CurlExchange, _ error: TransportError) {
        finished += 1
        exchange.fail(error)
    }

    private func enqueue(_ exchange: CurlExchange) {
        if queue.waiting == 0, gate.isOpen(at: turn.now),
            queue.startAtOnce(
                exchange.origin, groups: exchange.groups, priority: exchange.priority?.value ?? .normal)
        {
            return start(exchange)
        }
        guard queue.waiting < max(loop.options.queueLimit, 0) else { return refuse(exchange, .overloaded) }
        // Observe the priority first, then read it: a change in between is then applied twice instead of being lost.
        exchange.priority?.add(exchange)
        queue.push(
            exchange, origin: exchange.origin, groups: exchange.groups,
            priority: exchange.priority?.value ?? .normal)
    }

    private func drop(_ exchange: CurlExchange) {
        if naming.leave(exchange) {
            finished += 1
        } else if queue.remove(exchange) {
            finished += 1
            exchange.priority?.remove(exchange)
        } else if let transfer = transfers[ObjectIdentifier(exchange)] {
            detach(transfer)
            transfer.slot.giveBack(to: queue)
        }
    }

    // MARK: Transfers

    private func startWaiting() -> Bool {
        var hasStarted = false
        gate.rest()
        while queue.waiting > 0, gate.isOpen(at: turn.now), let exchange = queue.next() {
            exchange.priority?.remove(exchange)
            start(exchange)
            hasStarted = true
        }
        return hasStarted
    }

    private func start(_ exchange: CurlExchange) {
        gate.noteStart(at: turn.now)
        let slot = TransferSlot(of: exchange, loop: loop)
        guard let transfer = CurlTransfer(exchange, slot, in: context) else { return refuse(exchange, .noMemory) }
        attach(transfer)
    }

    /// Moves a request that has not been written yet to a new connection. The request keeps its slot.
    private func startAgain(_ transfer: CurlTransfer) {
        guard let second = CurlTransfer(again: transfer) else { return end(transfer, .failed(.noMemory)) }
        curl_multi_remove_handle(multi.pointer, transfer.easy)
        attach(second)
    }

    private func attach(_ transfer: CurlTransfer) {
        transfers[ObjectIdentifier(transfer.exchange)] = transfer
        nextDeadline = min(nextDeadline, deadline(of: transfer))
        curl_multi_add_handle(multi.pointer, transfer.easy)
    }

    private func endFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = CurlTransfer.of(easy)
            else { continue }
            // Read the message first: removing the handle frees it.
            let result = message.pointee.data.result
            if transfer.needsNewConnection {
                startAgain(transfer)
            } else {
                end(transfer, transfer.outcome(of: result))
            }
        }
    }

    private func endOverdue() {
        for exchange in naming.overdue(at: turn.now) { refuse(exchange, .lateName(exchange)) }
        guard turn.now >= nextDeadline else { return }
        for transfer in Array(transfers.values) {
            if let error = transfer.timeout(at: turn.now) {
                end(transfer, .failed(error))
                continue
            }
            if transfer.isSlow(at: turn.now), queue.lacksSlots, transfer.slot.loan == nil {
                end(transfer, .failed(.init(.timedOut, "\(transfer.exchange.origin) is too slow while others wait")))
                continue
            }
            if turn.now >= silenceDeadline(of: transfer) { lendPlace(ofSilent: transfer) }
        }
        // After the loop, because each lent slot makes the deadlines of other transfers earlier.
        nextDeadline = transfers.values.reduce(.max) { min($0, deadline(of: $1)) }
    }

    private func deadline(of transfer: CurlTransfer) -> UInt64 {
        min(transfer.deadline, silenceDeadline(of: transfer))
    }

    private func end(_ transfer: CurlTransfer, _ end: ExchangeState.End) {
        detach(transfer)
        if loop.options.keepsPlaces, transfer.slot.loan == nil {
            transfer.slot.keep(in: queue)
        } else {
            transfer.slot.giveBack(to: queue)
        }
        transfer.end(end)
    }

    private func detach(_ transfer: CurlTransfer) {
        curl_multi_remove_handle(multi.pointer, transfer.easy)
        transfers[ObjectIdentifier(transfer.exchange)] = nil
        if transfers.isEmpty { context.room?.rest() }
        finished += 1
    }

    /// Passes this turn's events to the exchanges. Returns `true` if a paused transfer continues and has work to do.
    private func handOver() -> Bool {
        var hasResumed = false
        for transfer in turn.takeTouched() {
            if transfer.isMultiplexed { queue.noteMultiplexing(transfer.exchange.origin) }
            let resumes = transfer.handOver()
            if transfer.isOver { continue }
            if resumes {
                resume(transfer)
                hasResumed = true
            }
            updatePlace(of: transfer)
        }
        return hasResumed
    }

    private func resume(_ transfer: CurlTransfer) {
        transfer.noteResumed()
        goOn(transfer)
    }

    /// Continues the upload, and the response unless it is paused.
    private func goOn(_ transfer: CurlTransfer) {
        updatePlace(of: transfer)
        let result = curl_easy_pause(transfer.easy, transfer.isPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
        if result != CURLE_OK { end(transfer, transfer.outcome(of: result)) }
        nextDeadline = min(nextDeadline, deadline(of: transfer))
    }

    // MARK: Slots of transfers in flight

    /// Lets other transfers use the slot of this one while it waits for its client, and takes the slot back when the
    /// client or a silent server goes on.
    private func updatePlace(of transfer: CurlTransfer) {
        guard !transfer.isOver, transfers[ObjectIdentifier(transfer.exchange)] === transfer else { return }
        if transfer.mayTakeBack {
            transfer.slot.takeBack(from: queue)
        } else if transfer.slot.loan == nil, transfer.waitsForClient, loop.options.waitingLimit > 0 {
            _ = transfer.slot.lend(.waitsForClient, in: queue)
        }
    }

    private func lendPlace(ofSilent transfer: CurlTransfer) {
        if transfer.slot.lend(.isSilent, in: queue) {
            transfer.noteLent()
        } else {
            transfer.restartSilence()
        }
    }

    /// The time at which the transfer lends its slot unless its server sends something; `.max` if it does not lend.
    private func silenceDeadline(of transfer: CurlTransfer) -> UInt64 {
        let options = loop.options
        guard options.silentLimit > 0, transfer.slot.loan == nil, !transfer.waitsForClient else { return .max }
        let silent = queue.lent(by: transfer.exchange.origin)
        return transfer.silentSince.advanced(
            bySaturating: max(options.silence / (1 << min(silent, 6)), options.silence / 40))
    }

    // MARK: Sleeping and shutting down

    private func sleep() {
        let now = monotonicNanoseconds()
        let next = min(nextDeadline, naming.deadline, gate.deadline)
        let untilDeadline = next > now ? (next - now) / 1_000_000 + 1 : 0
        curl_multi_poll(multi.pointer, nil, 0, Int32(min(untilDeadline, 60_000)), nil)
    }

    private func endAll() {
        for transfer in Array(transfers.values) { end(transfer, .failed(.cancelled)) }
        _ = handOver()
        for exchange in naming.removeAll() + queue.removeAll() + loop.takeLeftovers() {
            exchange.priority?.remove(exchange)
            exchange.fail(.cancelled)
        }
    }
}

extension CurlExchange {
    /// The groups of the request. The client counts where its requests share slots with those of others.
    var groups: [TransferGroup] {
        let places = route.withLock(\.groups).map(TransferGroup.place)
        guard !places.isEmpty, let client = request.client else { return places }
        return places + [.client(client)]
    }
}

extension TransportError {
    fileprivate static var noMemory: TransportError {
        TransportError(.other, "curl has no memory for another transfer")
    }
}
