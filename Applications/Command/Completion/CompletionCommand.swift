/// `calotype completion`: prints the script with which a shell completes command lines.
struct CompletionCommand: Command {
    static let syntax = CommandSyntax(
        name: "completion", summary: "Print the completion script of a shell.", operands: "bash|zsh|fish",
        operandCount: 1...1, offer: .words(Shell.allCases.map(\.rawValue)),
        notes: ["The script completes commands, options, and the values that are known, such as formats and steps."],
        examples: [
            (
                "completion bash > ~/.local/share/bash-completion/completions/calotype",
                "for bash, from the next shell on"
            ),
            ("completion zsh > ~/.zfunc/_calotype", "for zsh, with ~/.zfunc in its fpath"),
            ("completion fish > ~/.config/fish/completions/calotype.fish", "for fish"),
        ])

    private let shell: Shell

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let name = arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            throw arguments.error("'\(name)' is no shell that is known here: bash, zsh or fish")
        }
        self.shell = shell
    }

    func run(_ context: Context) async -> ExitStatus {
        context.console.line(shell.script(for: Commands.syntaxes))
        return .success
    }
}

/// A shell that completes command lines.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    func script(for syntaxes: [CommandSyntax]) -> String {
        switch self {
        case .bash: BashCompletion.script(for: syntaxes)
        case .zsh: ZshCompletion.script(for: syntaxes)
        case .fish: FishCompletion.script(for: syntaxes)
        }
    }

    /// Returns the text in single quotes, which all three shells read alike except for the quote itself.
    func quoted(_ text: String) -> String {
        let quote = self == .fish ? "\\'" : "'\\''"
        let escaped = self == .fish ? text.replacing("\\", with: "\\\\") : text
        return "'" + escaped.replacing("'", with: quote) + "'"
    }
}

extension CommandSyntax {
    /// "fetch", or "cache" for "cache stats".
    var firstWord: String { String(name.prefix { $0 != " " }) }

    /// "stats" for "cache stats"; `nil` for a command of one word.
    var secondWord: String? { name.firstIndex(of: " ").map { String(name[name.index(after: $0)...]) } }
}

extension [CommandSyntax] {
    /// The first words, each once, with the description that a list shows beside them.
    var firstWords: [(word: String, summary: String)] {
        var words: [(word: String, summary: String)] = []
        for syntax in self where !words.contains(where: { $0.word == syntax.firstWord }) {
            let members = filter { $0.firstWord == syntax.firstWord }
            let group = "One of: \(members.compactMap(\.secondWord).joined(separator: ", "))."
            words.append((syntax.firstWord, syntax.secondWord == nil ? syntax.summary : group))
        }
        return words
    }
}
