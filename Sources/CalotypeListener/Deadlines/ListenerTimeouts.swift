extension Listener {
    /// The limits on slow clients. The listener closes a connection that exceeds one.
    ///
    /// Time does not count while the client waits for the handler, or for the listener to read the request's body.
    package struct Timeouts: Sendable {
        struct Pace: Hashable, Sendable {
            /// The minimum average over the window, in bytes per second.
            var bytesPerSecond: Int
            /// The time over which the pace is measured.
            var window: Duration
        }

        /// The maximum time for a request's head, from its first byte or, on a new connection, from the start of the
        /// connection. A head that takes longer gets a 408. The default is 20 seconds. `nil` means no limit, here and
        /// below.
        package var head: Duration? = .seconds(20)
        /// The maximum time between two requests. The default is 75 seconds.
        package var idle: Duration? = .seconds(75)
        /// The time for which a connection without a complete request keeps its place although other clients wait. The
        /// default is 250 milliseconds.
        package var rest: Duration = .milliseconds(250)
        /// The minimum pace of a request's body; a slower one gets a 408. The default is 500 bytes per second, over any
        /// 30 seconds.
        var body: Pace? = Pace(bytesPerSecond: 500, window: .seconds(30))
        /// The minimum pace at which a client reads a response, measured by its TCP acknowledgements.
        ///
        /// A client that acknowledges nothing within the window is disconnected; a client that is only too slow is
        /// disconnected if others wait for a connection, or more exchanges than ``Options/slowExchangeLimit`` wait for
        /// their clients. The default is 500 bytes per second, over any 60 seconds.
        var reading: Pace? = Pace(bytesPerSecond: 500, window: .seconds(60))
        /// The maximum time that ``Listener/drain()`` waits for requests in flight. The default is 10 seconds.
        package var drain: Duration? = .seconds(10)

        package init() {}

        /// No limits, for tests.
        package static let none: Timeouts = {
            var timeouts = Timeouts()
            (timeouts.head, timeouts.idle, timeouts.body, timeouts.reading, timeouts.drain) = (nil, nil, nil, nil, nil)
            return timeouts
        }()
    }
}

/// The timeouts in nanoseconds.
struct Deadlines: Sendable {
    struct Pace: Sendable {
        let window: UInt64
        /// The minimum number of bytes in each window.
        let minimum: Int
    }

    let head: UInt64
    let idle: UInt64
    let rest: UInt64
    let body: Pace?
    let reading: Pace?
    let drain: UInt64

    init(_ timeouts: Listener.Timeouts) {
        head = Self.nanoseconds(timeouts.head)
        idle = Self.nanoseconds(timeouts.idle)
        rest = Self.nanoseconds(timeouts.rest)
        body = timeouts.body.map(Self.pace)
        reading = timeouts.reading.map(Self.pace)
        drain = Self.nanoseconds(timeouts.drain)
    }

    private static func pace(_ pace: Listener.Timeouts.Pace) -> Pace {
        let window = nanoseconds(pace.window)
        return Pace(window: window, minimum: Int(Double(pace.bytesPerSecond) * Double(window) / 1e9))
    }

    /// - Returns: A practically infinite time for `nil`.
    private static func nanoseconds(_ duration: Duration?) -> UInt64 {
        guard let duration else { return .max / 4 }
        return UInt64(min(max(duration / .nanoseconds(1), 1), 1e18))
    }
}
