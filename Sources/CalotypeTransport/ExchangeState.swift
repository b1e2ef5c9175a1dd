import CalotypeHTTP
import Foundation

/// The state of an exchange, shared by the network's thread and the task that waits for the response. The methods
/// return actions, which the caller performs outside the lock. A waiter is resumed exactly once.
struct ExchangeState {
    typealias HeadWaiter = UnsafeContinuation<Result<Answer, TransportError>, Never>
    typealias Reader = UnsafeContinuation<Result<Data?, TransportError>, Never>

    struct Answer: Sendable {
        var head: ResponseHead
        /// The whole body if it was complete when the head was returned, or `nil` if it has to be read.
        var body: Data?
    }

    enum End {
        case complete
        case failed(TransportError)
    }

    /// The events of one iteration of curl's loop, or of one callback of a `URLSession`.
    struct News {
        var head: ResponseHead?
        var bytes = Data()
        var end: End?
        var isPaused = false
        /// The slot of an exchange that has ended. The exchange holds it until the task has taken the last byte.
        var slot: Slot?
    }

    struct Delivery {
        var answer: (HeadWaiter, Result<Answer, TransportError>)?
        var chunk: (Reader, Result<Data?, TransportError>)?
        /// Whether the caller must resume the paused transfer, because the reader has taken all its bytes.
        var resumesTransfer = false
        var unreadBytes = 0
    }

    struct Cancellation {
        var waiter: HeadWaiter?
        var reader: Reader?
        var endsTransfer = false
        /// Released outside the lock.
        var slot: Slot?
    }

    /// A reference whose release returns a slot.
    typealias Slot = any AnyObject & Sendable

    private enum Phase { case new, submitted, cancelled }

    private var phase = Phase.new
    private var waiter: HeadWaiter?
    private var reader: Reader?
    private var head: ResponseHead?
    private var unread = Data()
    private var end: End?
    private(set) var isPaused = false
    private var slot: Slot?

    var unreadBytes: Int { unread.count }

    var isCancelled: Bool { phase == .cancelled }

    /// Registers the waiter for the head. Returns `false` if the exchange is cancelled already and must not be sent.
    mutating func submit(_ waiter: HeadWaiter) -> Bool {
        guard phase == .new else { return false }
        phase = .submitted
        self.waiter = waiter
        return true
    }

    mutating func take(_ news: News) -> Delivery {
        guard phase != .cancelled, end == nil else { return Delivery() }
        if let head = news.head { self.head = head }
        if unread.isEmpty { unread = news.bytes } else { unread.append(news.bytes) }
        end = news.end
        slot = news.slot
        isPaused = news.isPaused
        var delivery = Delivery()
        if let waiter { delivery.answer = answer().map { (waiter, $0) } }
        if delivery.answer != nil { waiter = nil }
        if let reader, let result = nextChunk() {
            delivery.chunk = (reader, result)
            self.reader = nil
        }
        delivery.unreadBytes = unread.count
        delivery.resumesTransfer = isPaused && unread.isEmpty && end == nil
        if delivery.resumesTransfer { isPaused = false }
        return delivery
    }

    /// Returns the result for the reader, or `nil` if the reader has to wait for bytes.
    mutating func read(_ reader: Reader) -> (result: Result<Data?, TransportError>, resumesTransfer: Bool)? {
        guard phase != .cancelled else { return (.failure(.cancelled), false) }
        guard let result = nextChunk() else {
            self.reader = reader
            return nil
        }
        defer { isPaused = false }
        return (result, isPaused && end == nil)
    }

    /// Notes that the task takes no more. Returns the slot, which the caller releases outside the lock.
    mutating func settle() -> Slot? { slot.take() }

    mutating func cancel() -> Cancellation {
        guard phase != .cancelled else { return Cancellation() }
        defer {
            phase = .cancelled
            waiter = nil
            reader = nil
            unread = Data()
        }
        return Cancellation(
            waiter: waiter, reader: reader, endsTransfer: phase == .submitted && end == nil, slot: slot.take())
    }

    /// Returns the head, with the whole body if that has arrived as well, or the error; `nil` until either arrives.
    private mutating func answer() -> Result<Answer, TransportError>? {
        guard let head else {
            guard case .failed(let error)? = end else { return nil }
            return .failure(error)
        }
        guard case .complete? = end else { return .success(Answer(head: head, body: nil)) }
        defer { unread = Data() }
        return .success(Answer(head: head, body: unread))
    }

    private mutating func nextChunk() -> Result<Data?, TransportError>? {
        if !unread.isEmpty {
            defer { unread = Data() }
            return .success(unread)
        }
        switch end {
        case nil: return nil
        case .complete: return .success(nil)
        case .failed(let error): return .failure(error)
        }
    }
}
