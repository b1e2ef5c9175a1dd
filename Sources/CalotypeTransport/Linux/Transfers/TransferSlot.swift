import CalotypeHTTP

/// The slot of a transfer in flight. It returns itself: with its last reference, curl's thread gets it back.
///
/// The transfer owns its slot. With `keepsPlaces` a transfer that has ended passes it to the exchange, which holds it until
/// the task has taken the last byte: the bytes are in memory, and the loader does not count them yet.
// Only curl's thread reads and changes the slot of a transfer. A slot that an exchange holds is read again when it is
// released, by the one thread that releases it.
final class TransferSlot: @unchecked Sendable {
    /// The part of the queue's limits that a slot occupies.
    struct Share: Sendable {
        let origin: HTTPOrigin
        let groups: [TransferGroup]
        fileprivate(set) var isLent = false
        /// Whether the transfer has ended, and its exchange has the slot.
        fileprivate(set) var isKept = false
    }

    typealias Queue = TransferQueue<CurlExchange, HTTPOrigin>

    enum Loan { case waitsForClient, isSilent }

    /// The reason why other transfers may use this slot, or `nil` if they may not.
    private(set) var loan: Loan? {
        didSet { share.isLent = loan != nil }
    }
    private var share: Share
    private var isReturned = false
    private let loop: CurlLoop

    /// - Parameter exchange: The exchange that the queue has given a slot.
    init(of exchange: CurlExchange, loop: CurlLoop) {
        share = Share(origin: exchange.origin, groups: exchange.groups)
        self.loop = loop
    }

    deinit { if !isReturned { loop.post(.free(share)) } }

    func lend(_ reason: Loan, in queue: Queue) -> Bool {
        guard queue.lend(share.origin, groups: share.groups, fairly: reason == .isSilent) else { return false }
        loan = reason
        return true
    }

    func takeBack(from queue: Queue) {
        queue.takeBack(share.origin, groups: share.groups)
        loan = nil
    }

    /// Notes that the transfer has ended, and passes the slot to its exchange.
    func keep(in queue: Queue) {
        share.isKept = true
        queue.noteEnd(share.origin)
    }

    /// Returns the slot at once, on curl's thread.
    func giveBack(to queue: Queue) {
        guard !isReturned else { return }
        isReturned = true
        queue.free(share)
    }
}

extension TransferSlot.Queue {
    func free(_ share: TransferSlot.Share) {
        if share.isLent {
            finishLent(share.origin, groups: share.groups)
        } else if share.isKept {
            finishEnded(share.origin, groups: share.groups)
        } else {
            finish(share.origin, groups: share.groups)
        }
    }
}
