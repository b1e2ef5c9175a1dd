/// All there is to say about a command before it runs: what the parser accepts and what the help prints.
struct CommandSyntax: Sendable {
    /// "fetch", or two words: "cache stats".
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The text after the options in the usage line, such as "URL...".
    var operands = ""
    /// How many operands there may be.
    var operandCount: ClosedRange<Int> = 0...0
    /// What a shell offers as an operand.
    var offer = Offer.nothing
    /// In the order of the help. `--help` is understood everywhere.
    var options: [Option] = []
    /// A Boolean value indicating whether the environment and the configuration file complete the command line.
    var readsSettings = true
    /// Paragraphs between the options and the examples.
    var notes: [String] = []
    /// Command lines without "calotype", each with what it does.
    var examples: [(line: String, effect: String)] = []

    var allOptions: [Option] { options + [.help] }
}
