/// The reason why a worker ended, or has to be ended.
struct WorkerFault: Error, Hashable {
    /// The raw values are the public names of the reasons in `DecoderWorkers.Counters`.
    enum Kind: String {
        /// The worker crashed or exited, or the kernel or another process killed it.
        case ended
        /// The worker needed more memory than its limit.
        case memory
        /// The worker took longer than the limit of all workers, or of its decoder.
        case deadline
        /// The caller's time was over.
        case late
        /// The processor time that the caller has for drawings was used up.
        case budget
        /// The worker kept more threads than an intact one.
        case threads
        /// The worker sent an answer that no intact worker would send.
        case lied = "answer"
        /// The worker did not start, or no memory could be shared with it.
        case start
    }

    let kind: Kind
    let message: String
    /// Whether the file may be the cause.
    private(set) var blamesFile: Bool

    init(_ kind: Kind, _ message: String) {
        (self.kind, self.message) = (kind, message)
        blamesFile = kind != .start && kind != .budget
    }

    var error: CodecError {
        switch kind {
        case .late: CodecError(.timedOut, message)
        case .budget: CodecError(.overloaded, message, underlying: DrawingBudget.UsedUp())
        default: CodecError(.decoderFailed, message)
        }
    }

    static func ended(signal: Int32, status: Int32) -> WorkerFault {
        WorkerFault(.ended, "the decoder ended (\(signal > 0 ? "signal \(signal)" : "status \(status)"))")
    }

    static func deadline(_ limit: Duration) -> WorkerFault {
        WorkerFault(.deadline, "the decoder took longer than \(limit.inSeconds) s")
    }

    /// A caller whose time is over. The file is to blame if it has had ``patience``, and the worker a processor for half of
    /// it.
    ///
    /// - Parameters:
    ///   - given: The time that the caller had left when the worker began.
    ///   - worked: The processor time that the worker had meanwhile, or `nil` if it is unknown.
    static func late(_ given: Duration, worked: Duration?) -> WorkerFault {
        var fault = WorkerFault(.late, "the request had \(given.inSeconds) s left for the decoder")
        fault.blamesFile = given >= patience && worked.map { $0 * 2 >= given } ?? true
        return fault
    }

    /// A caller whose time is over before a worker has begun.
    static var late: WorkerFault {
        var fault = WorkerFault(.late, "the request had no time left for a decoder")
        fault.blamesFile = false
        return fault
    }

    /// The time that a file must have had for its request's deadline to count against it: some come with little time left.
    private static let patience = Duration.seconds(5)

    static let budget = WorkerFault(.budget, "the drawings of this origin have used up their processor time")

    static func memory(_ bytes: Int) -> WorkerFault {
        WorkerFault(.memory, "the decoder needed more than \((bytes + 999_999) / 1_000_000) MB")
    }

    static let filtered = WorkerFault(
        .start,
        "a filter of system calls ended the decoder before it was ready: the service or container has to permit seccomp "
            + "(in a systemd unit: SystemCallFilter=@system-service seccomp)")

    static let threads = WorkerFault(.threads, "the decoder started too many threads")

    static let lied = WorkerFault(.lied, "the decoder sent an answer that makes no sense")
}

extension Duration {
    /// The number of seconds, to the millisecond.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\((seconds * 1000).rounded() / 1000)"
    }
}
