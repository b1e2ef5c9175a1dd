/// The exit status of the process.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Everything succeeded.
    static let success = ExitStatus(rawValue: 0)
    /// Some of the work failed; standard error has the reasons.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line is wrong; nothing was done.
    static let usage = ExitStatus(rawValue: 2)
    /// A signal stopped a server, which is its normal end. The process exits with 0.
    static let ended = ExitStatus(rawValue: -1)
    /// The user interrupted the command with Ctrl-C.
    static let interrupted = ExitStatus(rawValue: 130)
}
