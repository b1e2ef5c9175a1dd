/// The reason why a worker ended, or has to be ended.
struct WorkerFault: Error, Hashable {
    /// The raw values are the public names of the reasons in `DecoderWorkers.Counters`.
    enum Kind: String {
        /// The worker crashed or exited, or the kernel or another process killed it.
        case ended
        /// The worker needed more memory than its limit.
        case memory
        case deadline
        /// The worker kept more threads than an intact one.
        case threads
        /// The worker sent an answer that no intact worker would send.
        case lied = "answer"
        /// The worker did not start, or no memory could be shared with it.
        case start
    }

    let kind: Kind
    let message: String
    /// Whether the file may be the cause: `false` if the machine had too little time for the worker.
    private(set) var blamesFile = true

    init(_ kind: Kind, _ message: String) {
        (self.kind, self.message) = (kind, message)
    }

    var error: CodecError { CodecError(.decoderFailed, message) }

    static func ended(signal: Int32, status: Int32) -> WorkerFault {
        WorkerFault(.ended, "the decoder ended (\(signal > 0 ? "signal \(signal)" : "status \(status)"))")
    }

    /// - Parameter worked: The processor time that the worker had within the limit, or `nil` if it is unknown. If it is less
    ///   than half of the limit, the worker has waited for a processor.
    static func deadline(_ limit: Duration, worked: Duration?) -> WorkerFault {
        let seconds = limit / .seconds(1)
        let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\((seconds * 1000).rounded() / 1000)"
        var fault = WorkerFault(.deadline, "the decoder took longer than \(text) s")
        fault.blamesFile = worked.map { $0 * 2 >= limit } ?? true
        return fault
    }

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
