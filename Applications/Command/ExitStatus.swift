/// The status that the shell receives.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// All good.
    static let success = ExitStatus(rawValue: 0)
    /// Some of it failed; standard error says what.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line is wrong; nothing was done.
    static let usage = ExitStatus(rawValue: 2)
    /// A server was asked to stop, and has: what a signal means to it. The shell is told 0.
    static let ended = ExitStatus(rawValue: -1)
    /// Ctrl-C.
    static let interrupted = ExitStatus(rawValue: 130)
}
