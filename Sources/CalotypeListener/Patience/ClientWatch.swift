/// The deadlines of a connection's client.
///
/// A value without a clock: its owner passes the time.
struct ClientWatch {
    enum Verdict: Hashable {
        case patient
        /// It has sent nothing of a request.
        case idle
        /// It has sent a part of a head, and not the rest.
        case lateHead
        case slowBody
        case slowReader
    }

    private enum Step { case idle, head, exchange }

    private let patience: Patience
    private var step = Step.head
    /// When the idle time or the head began.
    private var since: UInt64
    private var hasBytes = false
    private var body: PaceMeter
    private var reading: PaceMeter
    private var acknowledged = 0

    init(_ patience: Patience, now: UInt64) {
        self.patience = patience
        since = now
        (body, reading) = (PaceMeter(patience.body), PaceMeter(patience.reading))
    }

    // MARK: What it waits for

    /// No request is under way.
    ///
    /// - Parameter hasBytes: whether bytes of the next one have arrived.
    mutating func waitForRequest(hasBytes: Bool, now: UInt64) {
        self.hasBytes = hasBytes
        // A new connection has its time for the head from the beginning.
        let next = hasBytes || step == .head ? Step.head : .idle
        guard step != next else { return }
        (step, since) = (next, now)
    }

    mutating func requestBegan() {
        step = .exchange
        (body, reading) = (PaceMeter(patience.body), PaceMeter(patience.reading))
    }

    /// A request or its answer is under way.
    ///
    /// - Parameter acknowledged: how many bytes of ours the client has acknowledged. Called only while the client is to read.
    mutating func waitInExchange(
        forBody awaitsBody: Bool, forReading awaitsReading: Bool, acknowledged: () -> Int, now: UInt64
    ) {
        step = .exchange
        if awaitsBody { body.run(at: now) } else { body.pause(at: now) }
        let wasReading = reading.isRunning
        if awaitsReading { reading.run(at: now) } else { reading.pause(at: now) }
        // What it acknowledged while it could not have done more does not count.
        if awaitsReading && !wasReading { self.acknowledged = acknowledged() }
    }

    mutating func received(_ bytes: Int) { body.add(bytes) }

    // MARK: Whether it waited long enough

    /// When to ask for the verdict.
    var deadline: UInt64 {
        switch step {
        case .idle: since + patience.idle
        case .head: since + patience.head
        case .exchange:
            min(
                patience.body == nil ? .max : body.slidesAt ?? .max,
                patience.reading == nil ? .max : reading.slidesAt ?? .max)
        }
    }

    /// - Parameter isCrowded: whether others wait for a connection.
    mutating func verdict(acknowledged: () -> Int, isCrowded: Bool, now: UInt64) -> Verdict {
        switch step {
        case .idle: return now >= deadline ? .idle : .patient
        case .head: return now >= deadline ? hasBytes ? .lateHead : .idle : .patient
        case .exchange:
            if reading.isRunning {
                let sum = acknowledged()
                reading.add(max(sum - self.acknowledged, 0))
                self.acknowledged = sum
            }
            body.advance(to: now)
            reading.advance(to: now)
            if let pace = patience.body, body.isRunning, let sum = body.lastWindow, sum < pace.minimum {
                return .slowBody
            }
            if let pace = patience.reading, reading.isRunning, let sum = reading.lastWindow,
                sum == 0 || isCrowded && sum < pace.minimum
            {
                return .slowReader
            }
            return .patient
        }
    }

    // MARK: Who makes room for others

    /// A Boolean value indicating whether an exchange waits for its client.
    var isSlowExchange: Bool { body.isRunning || reading.isRunning }

    /// How long it has waited for a request; nil while there is one.
    func idleTime(now: UInt64) -> UInt64? { step == .exchange ? nil : now - min(since, now) }

    /// Bytes a second of an exchange that waits for its client; nil where it does not.
    func pace(now: UInt64) -> Double? {
        [body, reading].compactMap { $0.isRunning ? $0.pace(at: now) : nil }.min()
    }
}

extension PaceMeter {
    /// - Parameter pace: If `nil`, nothing is asked of it but how fast a client is beside others.
    fileprivate init(_ pace: Patience.Pace?) { self.init(window: pace?.window ?? 60_000_000_000) }
}
