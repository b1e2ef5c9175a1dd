/// `calotype completion`: prints the script with which a shell completes command lines.
struct CompletionCommand: Command {
    static let syntax = CommandSyntax(
        name: "completion", summary: "Print the completion script of a shell.", operands: "bash|zsh|fish",
        operandCount: 1...Int.max, offer: .words(Shell.allCases.map(\.rawValue)), readsSettings: false,
        notes: [
            """
            The shell completes commands, options, and the values that are known, such as formats and steps. Its \
            script asks calotype for them: completion SHELL -- WORD... prints what completes the last of the words.
            """
        ],
        examples: [
            (
                "completion bash > ~/.local/share/bash-completion/completions/calotype",
                "for bash, from the next shell on"
            ),
            ("completion zsh > ~/.zfunc/_calotype", "for zsh, with ~/.zfunc in its fpath"),
            ("completion fish > ~/.config/fish/completions/calotype.fish", "for fish"),
        ])

    private let shell: Shell
    private let words: [String]

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let name = arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            throw arguments.error("'\(name)' is no shell that is known here: bash, zsh or fish")
        }
        self.shell = shell
        words = Array(arguments.operands.dropFirst())
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
