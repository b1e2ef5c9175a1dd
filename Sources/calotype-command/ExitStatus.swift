/// What the shell is told.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// All good.
    static let success = ExitStatus(rawValue: 0)
    /// Some of it failed; standard error says what.
    static let failure = ExitStatus(rawValue: 1)
    /// The command line is wrong; nothing was done.
    static let usage = ExitStatus(rawValue: 2)
    /// Ctrl-C.
    static let interrupted = ExitStatus(rawValue: 130)
}
