/// The values of options for all runs, from the environment and the configuration file.
///
/// The command line overrides the environment, and the environment overrides the file.
struct Settings: Sendable {
    private let environment: [String: String]
    private let file: [String: [GivenValue]]
    private let home: String

    /// All options that can be set, without repetitions, in the order of the commands.
    static let options: [Option] = Commands.syntaxes.flatMap(\.options).reduce(into: []) { options, option in
        let isKnown = options.contains { $0.name == option.name }
        if option.isSetting, !isKnown { options.append(option) }
    }

    init(_ context: Context) throws(UsageError) {
        environment = context.environment
        home = context.homeDirectory
        file = try SettingsFile.values(at: context.settingsPath, Settings.options)
    }

    /// Returns the name of the environment variable, such as `CALOTYPE_CACHE_DIR`.
    static func variable(of option: Option) -> String {
        "CALOTYPE_" + option.name.uppercased().replacing("-", with: "_")
    }

    func completing(_ arguments: Arguments) throws(UsageError) -> Arguments {
        var arguments = arguments
        for option in arguments.syntax.options where option.isSetting {
            let given = try inEnvironment(option, arguments) ?? file[option.name] ?? []
            arguments.fill(option, with: given.map { expanded($0, option) })
        }
        return arguments
    }

    private func inEnvironment(_ option: Option, _ arguments: Arguments) throws(UsageError) -> [GivenValue]? {
        let name = Settings.variable(of: option)
        guard let text = environment[name]?.nonEmpty else { return nil }
        if option.placeholder == nil, Bool(switch: text) == nil {
            throw arguments.error("\(name)=\(text): expected yes or no")
        }
        return [GivenValue(text: text, location: .environment(name))]
    }

    /// Replaces a leading `~/` with the home directory, as a shell does.
    private func expanded(_ given: GivenValue, _ option: Option) -> GivenValue {
        guard [.files, .directories].contains(option.offer), given.text.hasPrefix("~/") else { return given }
        return GivenValue(text: home + given.text.dropFirst(), location: given.location)
    }
}
