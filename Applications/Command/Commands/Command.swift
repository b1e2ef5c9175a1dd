import CalotypeDemoCommand

/// The commands, in the order of the help.
enum Commands {
    static let all: [any Command.Type] = [
        FetchCommand.self, ResizeCommand.self, InfoCommand.self, CompareCommand.self, ShowCommand.self,
        ExplainCommand.self,
        CacheStatsCommand.self, CacheListCommand.self, CacheVerifyCommand.self, CacheTrimCommand.self,
        CacheClearCommand.self, ProxyCommand.self, ServeCommand.self, SignCommand.self, WarmCommand.self,
        HealthCommand.self, ReloadCommand.self, DemoCommand.self, DoctorCommand.self, CompletionCommand.self,
        ManualCommand.self,
    ]

    static var syntaxes: [CommandSyntax] { all.map { $0.syntax } }

    /// The first words of the two-word commands, such as "cache".
    static var groups: [String] {
        Set(syntaxes.filter { $0.secondWord != nil }.map(\.firstWord)).sorted()
    }
}
