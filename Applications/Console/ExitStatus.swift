/// The exit status of the process.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Everything succeeded.
    package static let success = ExitStatus(rawValue: 0)
    /// Some of the work failed; standard error has the reasons.
    package static let failure = ExitStatus(rawValue: 1)
    /// The command line is wrong; nothing was done.
    package static let usage = ExitStatus(rawValue: 2)
    /// A signal stopped a server, which is its normal end. The process exits with 0.
    package static let ended = ExitStatus(rawValue: -1)
    /// The user interrupted the command with Ctrl-C.
    package static let interrupted = ExitStatus(rawValue: 130)
}
