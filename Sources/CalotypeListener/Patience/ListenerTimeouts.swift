extension Listener {
    /// How long a client may take before its connection is closed.
    ///
    /// None of these runs while the client waits for us: for the handler, or for room to take the rest of its body.
    public struct Timeouts: Sendable {
        /// The slowest pace that is accepted.
        public struct Pace: Hashable, Sendable {
            /// The mean over the window, in bytes a second.
            public var bytesPerSecond: Int
            /// The time over which the pace is measured.
            public var window: Duration

            /// Creates a pace.
            public init(bytesPerSecond: Int, over window: Duration) {
                self.bytesPerSecond = bytesPerSecond
                self.window = window
            }
        }

        /// The time for a request's head, from its first byte, and for a new connection from its beginning. A head that
        /// takes longer is answered 408. The default is 20 seconds. `nil` means no limit, here and below.
        public var head: Duration? = .seconds(20)
        /// The time between two requests. The default is 75 seconds.
        public var idle: Duration? = .seconds(75)
        /// The slowest pace at which a request's body may arrive. The default is 500 bytes a second, over any 30 seconds.
        public var body: Pace? = Pace(bytesPerSecond: 500, over: .seconds(30))
        /// The slowest pace at which a client may read a response, by what it has acknowledged.
        ///
        /// A client that acknowledges nothing in that time is closed; one that is too slow is closed while others wait for
        /// a connection. The default is 500 bytes a second, over any 60 seconds.
        public var reading: Pace? = Pace(bytesPerSecond: 500, over: .seconds(60))
        /// The time that ``Listener/drain()`` waits for requests in flight. The default is 10 seconds.
        public var drain: Duration? = .seconds(10)

        /// The defaults.
        public init() {}

        /// No limits: a client may take as long as it likes. For tests.
        public static let none: Timeouts = {
            var timeouts = Timeouts()
            (timeouts.head, timeouts.idle, timeouts.body, timeouts.reading, timeouts.drain) = (nil, nil, nil, nil, nil)
            return timeouts
        }()
    }
}

/// The same in the unit of the clock: nanoseconds.
struct Patience: Sendable {
    struct Pace: Sendable {
        let window: UInt64
        /// Bytes in each window.
        let minimum: Int
    }

    let head: UInt64
    let idle: UInt64
    let body: Pace?
    let reading: Pace?
    let drain: UInt64

    init(_ timeouts: Listener.Timeouts) {
        head = Self.nanoseconds(timeouts.head)
        idle = Self.nanoseconds(timeouts.idle)
        body = timeouts.body.map(Self.pace)
        reading = timeouts.reading.map(Self.pace)
        drain = Self.nanoseconds(timeouts.drain)
    }

    private static func pace(_ pace: Listener.Timeouts.Pace) -> Pace {
        let window = nanoseconds(pace.window)
        return Pace(window: window, minimum: Int(Double(pace.bytesPerSecond) * Double(window) / 1e9))
    }

    /// - Returns: as long as it takes where there is no limit.
    private static func nanoseconds(_ duration: Duration?) -> UInt64 {
        guard let duration else { return .max / 4 }
        return UInt64(min(max(duration / .nanoseconds(1), 1), 1e18))
    }
}
