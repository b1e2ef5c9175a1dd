/// An error in the command line, as one line. The process ends with status 2.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    let message: String
    /// The command whose help explains more; `nil` if no command was recognized.
    let command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    var description: String {
        let help = command.map { "calotype \($0) --help" } ?? "calotype --help"
        return "\(message) (see \(help))"
    }
}
