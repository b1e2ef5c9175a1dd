import CalotypeBase

extension Listener {
    /// The options of a listener: its address and its limits.
    package struct Options: Sendable {
        /// The address to listen on: an IPv4 or IPv6 literal, or "localhost". The default is 127.0.0.1: only this
        /// machine.
        var host = "127.0.0.1"
        /// The port. With 0 (the default), the system chooses a free one; see ``Listener/port``.
        var port = 0
        /// A listening socket to accept from, in place of ``host`` and ``port``. The listener closes its descriptor, and
        /// leaves clients in its queue when it drains. The default, `nil`, opens a socket.
        package var socket: InheritedSocket?
        /// Whether other listeners may have the same address, among which the system divides the clients (SO_REUSEPORT). The
        /// default is `false`.
        package var sharesAddress = false
        /// The number of threads that read, write and call synchronous handlers. The default is 1.
        package var threads = 1
        /// The maximum number of simultaneous connections. The default is 1,024.
        ///
        /// At the limit, the listener closes a connection that has sent its last response, or else the one that has
        /// waited longest for a request. If there is neither, new clients wait in the kernel's queue; clients that read
        /// too slowly are then closed: see ``Timeouts``.
        package var connectionLimit = 1024
        /// The number of file descriptors to reserve for other uses, in addition to `DescriptorBudget.reserve`. While
        /// only reserved ones are free, clients wait in the kernel's queue. The default is 0.
        package var keptDescriptors = 0
        /// The maximum size of a request's body, in bytes. A request with a larger body gets a 413: before the body is
        /// read if the request has a Content-Length, otherwise once its chunks exceed the limit. The default is 16 MiB.
        package var bodyLimit = 16 << 20
        /// Whether handlers are called as soon as a request's head has arrived, and read the body as a stream. The
        /// default is `false`.
        ///
        /// A response that is ready before the end of the request's body is sent at once; the rest of the body is
        /// discarded.
        package var streamsBodies = false
        /// Whether the body of a request may be followed by trailers, which are dropped. A request with trailers gets a 400 if
        /// not. The default is `true`.
        package var takesTrailers = true
        /// The maximum size of a request's head, in bytes. Larger heads get a 431. The default is 64 KiB.
        var headerMemory = 64 << 10
        /// The number of requests that wait for the client to send the rest of the body or to read the response, on all
        /// threads together, beyond which those that read below the minimum pace are closed. The default, `nil`, means
        /// that they are only while other clients wait for a connection, or soon will.
        package var slowExchangeLimit: Int?
        /// The limits on slow clients.
        package var timeouts = Timeouts()
        /// Called at the end of every request that reached the handler, on the listener's threads: it must not block.
        package var onEnd: (@Sendable (_ request: UInt64, _ outcome: Listener.Outcome) -> Void)?

        /// Called, after ``onEnd``, with each request whose response the listener broke off. Called on the listener's
        /// threads: it must not block.
        package var onCut: (@Sendable (ListenerRequest, Listener.Cut) -> Void)?

        /// Called with the status and the reason for each request that the listener itself rejects, because it is
        /// malformed or exceeds a limit. Called on the listener's threads: it must not block.
        package var onRefusal: (@Sendable (_ status: Int, _ reason: String) -> Void)?

        /// The monotonic clock for all deadlines: returns the time in nanoseconds. Tests replace it.
        package var clock: @Sendable () -> UInt64 = monotonicNanoseconds

        package init(host: String = "127.0.0.1", port: Int = 0, threads: Int = 1) {
            self.host = host
            self.port = port
            self.threads = threads
        }

        /// - Throws: An error that names the invalid option.
        func validate() throws(ListenerError) {
            func require(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(ListenerError) {
                guard !range.contains(value) else { return }
                throw ListenerError(
                    .invalidOption, "\(name) is \(value), but must be from \(range.lowerBound) to \(range.upperBound)")
            }
            try require("port", port, 0...65_535)
            try require("threads", threads, 1...256)
            try require("connectionLimit", connectionLimit, threads...1_000_000)
            try require("bodyLimit", bodyLimit, 0...(1 << 40))
            try require("headerMemory", headerMemory, 4096...(16 << 20))
            if let slowExchangeLimit { try require("slowExchangeLimit", slowExchangeLimit, 1...1_000_000) }
        }
    }

    /// The outcome of a request: whether the client got the whole response.
    package enum Outcome: Sendable {
        /// The listener passed the whole response to the kernel.
        case complete
        /// The client left before the response was complete.
        case clientLeft
        /// The listener ended the request: the handler returned ``ListenerResponse/drop``, a body failed or was
        /// rejected, the client was too slow, or the listener stopped.
        case dropped
    }

    /// A response that the listener broke off.
    package struct Cut: Sendable {
        package let status: Int
        /// The number of bytes after the head that the kernel had taken.
        package let sentBytes: Int
        /// The reason, for the operator.
        package let reason: String
    }
}
