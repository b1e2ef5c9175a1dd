/// The description of a command. The parser follows it; help, manual pages and completion scripts print it.
struct CommandSyntax: Sendable {
    /// "fetch", or two words: "cache stats".
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The text after the options in the usage line, such as "URL...".
    var operands = ""
    /// The accepted numbers of operands.
    var operandCount: ClosedRange<Int> = 0...0
    /// The completion that a shell offers for an operand.
    var offer = Offer.nothing
    /// The options in the order of the help. Every command accepts `--help` in addition.
    var options: [Option] = []
    /// Whether the environment and the configuration file set options that the command line lacks.
    var readsSettings = true
    /// Paragraphs between the options and the examples.
    var notes: [String] = []
    /// Command lines without "calotype", each with its effect.
    var examples: [(line: String, effect: String)] = []

    var allOptions: [Option] { options + [.help] }

    /// The line after "usage:".
    var usage: String {
        "calotype \(name)\(options.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
    }
}
