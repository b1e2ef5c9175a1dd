extension Listener {
    /// Where to listen, and how much to hold at most.
    package struct Options: Sendable {
        /// The address to listen on: an IPv4 or IPv6 literal, or "localhost". Only this machine by default.
        package var host = "127.0.0.1"
        /// 0, the default, takes a free one; ``Listener/port`` says which.
        package var port = 0
        /// Threads that read, write and call synchronous handlers. 1.
        package var threads = 1
        /// Connections at the same time. The default is 1,024.
        ///
        /// One more makes the listener close the one that has waited longest for a request, or if there is none, the slowest
        /// of those that wait for their client. If every connection is busy, clients wait in the kernel's queue.
        package var connectionLimit = 1024
        /// Descriptors of the process that clients leave free, besides those of `DescriptorBudget.reserve`. One more client waits in
        /// the kernel's queue, as above. The default is 0.
        package var keptDescriptors = 0
        /// Bytes of a request's body. One that announces more is answered 413 before its body is read, one that turns
        /// out to be longer is cut off. 16 MiB.
        package var bodyLimit = 16 << 20
        /// A Boolean value indicating whether requests are handed over with their heads, and their bodies stream at the
        /// handler's pace. False.
        ///
        /// An answer that is ready before its request's body has come is sent at once; the rest of the body is read
        /// and thrown away.
        package var streamsBodies = false
        /// Bytes of memory for each connection, for fields in both directions. Longer ones are answered 431. 64 KiB.
        package var headerMemory = 64 << 10
        /// Requests whose handler or response waits for the client: for the rest of its body, or until it reads. One more
        /// closes the slowest of them. The default is 1,024.
        package var slowExchangeLimit = 1024
        /// How long a client may take.
        package var timeouts = Timeouts()
        /// Told of the end of every request that reached the handler. Called on the listener's threads: be quick.
        package var onEnd: (@Sendable (_ request: UInt64, _ outcome: Listener.Outcome) -> Void)?

        package var clock = ListenerClock.system

        package init(host: String = "127.0.0.1", port: Int = 0, threads: Int = 1) {
            self.host = host
            self.port = port
            self.threads = threads
        }

        /// - Throws: an error that names the value to put right.
        package func validate() throws(ListenerError) {
            func require(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(ListenerError) {
                guard !range.contains(value) else { return }
                throw ListenerError(
                    .invalidOption, "\(name) is \(value), and must be from \(range.lowerBound) to \(range.upperBound)")
            }
            try require("port", port, 0...65_535)
            try require("threads", threads, 1...256)
            try require("connectionLimit", connectionLimit, threads...1_000_000)
            try require("bodyLimit", bodyLimit, 0...(1 << 40))
            try require("headerMemory", headerMemory, 4096...(16 << 20))
            try require("slowExchangeLimit", slowExchangeLimit, threads...1_000_000)
        }
    }

    /// How a request ended.
    package struct Outcome: Hashable, Sendable {
        private let name: String

        /// The whole answer was handed to the network.
        package static let complete = Outcome(name: "complete")
        /// The client went away before that.
        package static let clientLeft = Outcome(name: "clientLeft")
        /// We ended it: the handler's wish, a body that failed, a time limit, or the listener's stop.
        package static let dropped = Outcome(name: "dropped")
    }
}
