/// The deadlines for the client of a connection. Each call passes the current time in nanoseconds.
struct ClientWatch {
    enum Verdict: Hashable {
        case patient
        /// No byte of a request has arrived in time.
        case idle
        /// Only a part of a head has arrived in time.
        case lateHead
        case slowBody
        case slowReader
    }

    private enum Step { case idle, head, exchange }

    private let deadlines: Deadlines
    private var step = Step.head
    /// The time when the step `idle` or `head` began, or the head of the request in progress arrived, in nanoseconds.
    private(set) var since: UInt64
    private var hasBytes = false
    private var body: PaceMeter
    private var reading: PaceMeter
    private var acknowledged = 0

    init(_ deadlines: Deadlines, now: UInt64) {
        self.deadlines = deadlines
        since = now
        (body, reading) = (PaceMeter(deadlines.body), PaceMeter(deadlines.reading))
    }

    // MARK: Waiting

    /// Records that no request is in progress.
    ///
    /// - Parameter hasBytes: Whether bytes of the next request have arrived.
    mutating func waitForRequest(hasBytes: Bool, now: UInt64) {
        self.hasBytes = hasBytes
        // A new connection starts in `head`, so that the time limit of its first head runs from its start.
        let next = hasBytes || step == .head ? Step.head : .idle
        guard step != next else { return }
        (step, since) = (next, now)
    }

    mutating func requestBegan(now: UInt64) {
        (step, since) = (.exchange, now)
        (body, reading) = (PaceMeter(deadlines.body), PaceMeter(deadlines.reading))
    }

    /// Records that a request or its response is in progress.
    ///
    /// - Parameter acknowledged: Returns the number of bytes that the client has acknowledged. Called only when
    ///   `awaitsReading` becomes `true`.
    mutating func waitInExchange(
        forBody awaitsBody: Bool, forReading awaitsReading: Bool, acknowledged: () -> Int, now: UInt64
    ) {
        step = .exchange
        if awaitsBody { body.run(at: now) } else { body.pause(at: now) }
        let wasReading = reading.isRunning
        if awaitsReading { reading.run(at: now) } else { reading.pause(at: now) }
        // Counts only bytes acknowledged from now on, while the listener waits for the client to read.
        if awaitsReading && !wasReading { self.acknowledged = acknowledged() }
    }

    mutating func received(_ bytes: Int) { body.add(bytes) }

    // MARK: Deadlines

    /// The time of the next call of ``verdict(acknowledged:isCrowded:now:)``, in nanoseconds.
    var deadline: UInt64 {
        switch step {
        case .idle: since + deadlines.idle
        case .head: since + deadlines.head
        case .exchange:
            min(
                deadlines.body == nil ? .max : body.slidesAt ?? .max,
                deadlines.reading == nil ? .max : reading.slidesAt ?? .max)
        }
    }

    /// - Parameter isCrowded: If `true`, a client that reads below the minimum pace is a `slowReader`; if `false`, only
    ///   a client that reads nothing.
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
            if let pace = deadlines.body, body.isRunning, let sum = body.lastWindow, sum < pace.minimum {
                return .slowBody
            }
            if let pace = deadlines.reading, reading.isRunning, let sum = reading.lastWindow,
                sum == 0 || isCrowded && sum < pace.minimum
            {
                return .slowReader
            }
            return .patient
        }
    }

    /// Whether the exchange waits for its client to send the body or to read the response.
    var isSlowExchange: Bool { body.isRunning || reading.isRunning }
}

extension PaceMeter {
    /// - Parameter pace: The minimum pace, or `nil` if no client is too slow.
    fileprivate init(_ pace: Deadlines.Pace?) { self.init(window: pace?.window ?? 60_000_000_000) }
}
