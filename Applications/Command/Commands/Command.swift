/// Something that `calotype` does. Reading the arguments is apart from doing it: once there is a command, the command
/// line was right.
protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    init(_ arguments: Arguments, _ context: Context) throws(UsageError)

    /// Does it, and reports failures on the console itself. A cancelled task means Ctrl-C: clean up and return.
    func run(_ context: Context) async -> ExitStatus
}

/// The commands, in the order of the help.
enum Commands {
    static let all: [any Command.Type] = [
        FetchCommand.self, ResizeCommand.self, InfoCommand.self, CompareCommand.self, ShowCommand.self,
        CacheStatsCommand.self, CacheListCommand.self, CacheVerifyCommand.self, CacheTrimCommand.self,
        CacheClearCommand.self, ProxyCommand.self, DemoCommand.self, DoctorCommand.self, CompletionCommand.self,
        ManualCommand.self,
    ]

    static var syntaxes: [CommandSyntax] { all.map { $0.syntax } }

    /// First words that stand in front of several commands: "cache".
    static var groups: [String] {
        Set(syntaxes.compactMap { $0.name.contains(" ") ? String($0.name.prefix { $0 != " " }) : nil }).sorted()
    }
}
