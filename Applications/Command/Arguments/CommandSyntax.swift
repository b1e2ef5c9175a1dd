/// The description of a command. The parser follows it; help, manual pages and completion scripts print it.
struct CommandSyntax: Sendable {
    /// The one or two words that name the command, such as "fetch" or "cache stats".
    let name: String
    let summary: String
    /// The text after the options in the usage line, such as "URL...".
    var operands = ""
    /// The accepted number of operands. By default, the command accepts no operands.
    var operandCount: ClosedRange<Int> = 0...0
    /// The completion that a shell offers for an operand.
    var offer = Offer.nothing
    /// The options in the order of the help, without `--help`, which every command accepts.
    var options: [Option] = []
    /// Whether the environment and the configuration file set options that the command line lacks.
    var readsSettings = true
    /// Paragraphs between the options and the examples.
    var notes: [String] = []
    /// Example command lines, without the word "calotype", each with its effect.
    var examples: [(line: String, effect: String)] = []

    var allOptions: [Option] { options + [.help] }

    var usage: String {
        "calotype \(name)\(options.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
    }
}
