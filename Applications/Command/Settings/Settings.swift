import CalotypeBase

/// The values of options for all runs, from the environment and from files.
///
/// The command line overrides the environment, the environment the file of `--config`, and that the user's own file.
struct Settings: Sendable {
    private let context: Context
    private let file: [String: [GivenValue]]
    private let isReload: Bool

    /// All options that can be set, without repetitions, in the order of the commands.
    static let options: [Option] = Commands.syntaxes.flatMap(\.settings).reduce(into: []) { options, option in
        if !options.contains(where: { $0.name == option.name }) { options.append(option) }
    }

    /// The paragraph about settings in the help of a service.
    static let note = """
        Each option is a setting, too: --ttl is CALOTYPE_TTL in the environment, and a line ttl = 60 in the file of \
        --config or in ~/.config/calotype/config; this is also the order in which they count. A value @FILE stands for \
        the lines of a file, such as a mounted secret; @@ stands for an @ at its start. --check, --explain and other \
        tasks are flags only.
        """

    /// - Parameter isReload: Whether the files are read while a service runs, and perhaps while somebody writes them: then
    ///   each must end with a line feed. The default is `false`.
    init(_ context: Context, isReload: Bool = false) throws(UsageError) {
        self.context = context
        self.isReload = isReload
        file = try SettingsFile(path: context.settingsPath, mustEnd: isReload).values(of: Settings.options)
    }

    func completing(_ arguments: Arguments) throws(UsageError) -> Arguments {
        let syntax = arguments.syntax
        let named = try namedFile(arguments)
        let imitated = syntax.readsImgproxy ? try ImgproxyVariables(context).values(for: arguments) : [:]
        var arguments = arguments
        for option in syntax.settings {
            let onLine = arguments.allGiven(option)
            if onLine.isEmpty {
                let given = inEnvironment(option) ?? imitated[option.name] ?? named[option.name] ?? file[option.name]
                arguments.fill(option, with: try values(of: given ?? [], option, arguments))
            } else if syntax.isService {
                arguments.replace(option, by: try values(of: onLine, option, arguments))
            }
        }
        return arguments
    }

    /// Returns the values in the file of `--config`, which knows the settings of this command, or those of all if its syntax
    /// permits that.
    private func namedFile(_ arguments: Arguments) throws(UsageError) -> [String: [GivenValue]] {
        guard arguments.syntax.isService, let path = arguments[.config] else { return [:] }
        let known = arguments.syntax.permitsOthersSettings ? Settings.options : arguments.syntax.settings
        return try SettingsFile(path: path, mustExist: true, mustEnd: isReload).values(of: known)
    }

    private func inEnvironment(_ option: Option) -> [GivenValue]? {
        let name = option.variable
        return context.environment[name]?.withoutCarriageReturn.nonEmpty.map {
            [GivenValue(text: $0, location: .environment(name))]
        }
    }

    private func values(
        of given: [GivenValue], _ option: Option, _ arguments: Arguments
    ) throws(UsageError) -> [GivenValue] {
        var values: [GivenValue] = []
        for given in given {
            if arguments.syntax.isService, !given.isImitated {
                values += try ValueReference(context).values(of: given, as: option, arguments)
            } else {
                values.append(given)
            }
        }
        if option.placeholder == nil, let wrong = values.first(where: { $0.isWrongSwitch }) {
            throw arguments.error("\(wrong.written(as: option)): expected yes or no")
        }
        return values.map { expanded($0, option) }
    }

    /// Replaces a leading `~/` with the home directory, as a shell does.
    private func expanded(_ given: GivenValue, _ option: Option) -> GivenValue {
        guard given.location != .commandLine, [.files, .directories].contains(option.offer),
            given.text.hasPrefix("~/")
        else { return given }
        return GivenValue(
            bytes: ByteString(context.homeDirectory + given.text.dropFirst()), location: given.location,
            reference: given.reference)
    }
}

extension String {
    /// The value of a variable without what the end of a line of Windows leaves there when a file of variables is read.
    var withoutCarriageReturn: String {
        unicodeScalars.last == "\r" ? String(String.UnicodeScalarView(unicodeScalars.dropLast())) : self
    }
}

extension GivenValue {
    /// Whether the value is from a variable of imgproxy, whose form has been changed already.
    fileprivate var isImitated: Bool {
        if case .environment(let name) = location { name.hasPrefix("IMGPROXY_") } else { false }
    }

    /// Whether the value of a switch is neither yes nor no. On a command line, a switch may have no value.
    fileprivate var isWrongSwitch: Bool { Bool(switch: text) == nil && !(location == .commandLine && text.isEmpty) }
}

extension Option {
    static let config = Option(
        "config", nil, "FILE", offers: .files,
        help: "Read settings from this file: a line name = value for each, with the names of these options.")
    static let printConfig = Option(
        "print-config", help: "Print each setting with its place, without secrets, and do nothing else.")
}
