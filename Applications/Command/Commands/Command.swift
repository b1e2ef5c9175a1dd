/// A command of `calotype`. Its initializer validates the arguments, so a value stands for a valid command line.
protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    init(_ arguments: Arguments, _ context: Context) throws(UsageError)

    /// Runs the command and reports failures on the console. Ctrl-C cancels the task.
    func run(_ context: Context) async -> ExitStatus
}

/// The commands, in the order of the help.
enum Commands {
    static let all: [any Command.Type] = [
        FetchCommand.self, ResizeCommand.self, InfoCommand.self, CompareCommand.self, ShowCommand.self,
        CacheStatsCommand.self, CacheListCommand.self, CacheVerifyCommand.self, CacheTrimCommand.self,
        CacheClearCommand.self, ProxyCommand.self, ServeCommand.self, SignCommand.self,
        HealthCommand.self, DemoCommand.self, DoctorCommand.self, CompletionCommand.self, ManualCommand.self,
    ]

    static var syntaxes: [CommandSyntax] { all.map { $0.syntax } }

    /// The first words of the two-word commands, such as "cache".
    static var groups: [String] {
        Set(syntaxes.filter { $0.secondWord != nil }.map(\.firstWord)).sorted()
    }
}
