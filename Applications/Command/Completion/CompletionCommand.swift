import CalotypeBase

struct CompletionCommand: Command {
    static let syntax = CommandSyntax(
        name: "completion", summary: "Print a shell's completion script.", operands: "bash|zsh|fish",
        operandCount: 1...Int.max, offer: .words(Shell.allCases.map(\.rawValue)), readsSettings: false,
        notes: [
            """
            The script completes commands, options, and values such as formats and steps. It gets them from \
            calotype: completion SHELL -- WORD... prints the completions of the last word.
            """
        ],
        examples: [
            (
                "completion bash > ~/.local/share/bash-completion/completions/calotype",
                "for bash, effective in new shells"
            ),
            ("completion zsh > ~/.zfunc/_calotype", "for zsh, if fpath contains ~/.zfunc"),
            ("completion fish > ~/.config/fish/completions/calotype.fish", "for fish"),
        ])

    private let shell: Shell
    private let words: [String]

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let name = arguments.operands[0].displayed
        guard let shell = Shell(rawValue: name) else {
            throw arguments.error("unknown shell '\(name)'; expected bash, zsh or fish")
        }
        self.shell = shell
        words = arguments.operands.dropFirst().map(\.displayed)
    }

    func run(_ context: Context) async -> ExitStatus {
        if words.isEmpty {
            context.console.line(shell.script)
        } else {
            for candidate in Completion.candidates(for: words) { context.console.line(shell.line(candidate)) }
        }
        return .success
    }
}
