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
    /// Options that the command line refuses, because other users would see their values in the list of processes.
    var secretOptions: [Option] = []
    /// Whether the environment and the configuration file set options that the command line lacks.
    var readsSettings = true
    /// Whether every option is a setting, except the tasks. A value may then be `@FILE`. The default is `false`: the
    /// options are settings that are marked as such.
    var isService = false
    /// Whether variables of imgproxy count as settings. The default is `false`.
    var readsImgproxy = false
    /// Whether the file of `--config` may have settings of other commands. The default is `false`.
    var permitsOthersSettings = false
    /// Paragraphs between the options and the examples.
    var notes: [String] = []
    /// Example command lines, without the word "calotype", each with its effect.
    var examples: [(line: String, effect: String)] = []

    var allOptions: [Option] { options + [.help] }

    /// The options that the environment and files of settings may set.
    var settings: [Option] {
        guard isService else { return options.filter(\.isSetting) }
        return options.filter { !Settings.tasks.contains($0.name) } + secretOptions
    }

    var usage: String {
        "calotype \(name)\(options.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
    }
}
