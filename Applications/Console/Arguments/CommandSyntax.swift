/// The description of a command. The parser follows it; help, manual pages and completion scripts print it.
package struct CommandSyntax: Sendable {
    /// The one or two words that name the command, such as "fetch" or "cache stats".
    package let name: String
    package let summary: String
    /// The text after the options in the usage line, such as "URL...".
    package let operands: String
    /// The accepted number of operands. By default, the command accepts no operands.
    package var operandCount: ClosedRange<Int>
    /// The completion that a shell offers for an operand.
    package let offer: Offer
    /// The options in the order of the help, without `--help`, which every command accepts.
    package let options: [Option]
    /// Options that the command line refuses, because other users would see their values in the list of processes.
    package let secretOptions: [Option]
    /// Whether the environment and the configuration file set options that the command line lacks.
    package let readsSettings: Bool
    /// Whether every option is a setting, except the tasks. A value may then be `@FILE`. The default is `false`: the
    /// options are settings that are marked as such.
    package let isService: Bool
    /// Whether variables of imgproxy count as settings. The default is `false`.
    package let readsImgproxy: Bool
    /// Whether the file of `--config` may have settings of other commands. The default is `false`.
    package let permitsOthersSettings: Bool
    /// Paragraphs between the options and the examples.
    package let notes: [String]
    /// Example command lines, without the word "calotype", each with its effect.
    package let examples: [(line: String, effect: String)]

    /// The options of services that are no settings: each is a task for one run, or has effect before settings are read.
    package static let tasks: Set<String> = [
        "check", "explain", "purge", "purge-prefix", "purge-all", "soft", "print-config", "config",
    ]

    package init(
        name: String, summary: String, operands: String = "", operandCount: ClosedRange<Int> = 0...0,
        offer: Offer = .nothing, options: [Option] = [], secretOptions: [Option] = [], readsSettings: Bool = true,
        isService: Bool = false, readsImgproxy: Bool = false, permitsOthersSettings: Bool = false,
        notes: [String] = [], examples: [(line: String, effect: String)] = []
    ) {
        (self.name, self.summary) = (name, summary)
        (self.operands, self.operandCount, self.offer) = (operands, operandCount, offer)
        (self.options, self.secretOptions) = (options, secretOptions)
        (self.readsSettings, self.isService) = (readsSettings, isService)
        (self.readsImgproxy, self.permitsOthersSettings) = (readsImgproxy, permitsOthersSettings)
        (self.notes, self.examples) = (notes, examples)
    }

    package var allOptions: [Option] { options + [.help] }

    /// The options that the environment and files of settings may set.
    package var settings: [Option] {
        guard isService else { return options.filter(\.isSetting) }
        return options.filter { !CommandSyntax.tasks.contains($0.name) } + secretOptions
    }

    package var usage: String {
        "calotype \(name)\(options.isEmpty ? "" : " [options]")\(operands.isEmpty ? "" : " \(operands)")"
    }
}
