import CalotypeBase

/// The lines of `--print-config`: each setting with its value and its place, or as a comment if it has its default.
enum SettingsListing {
    static func lines(of arguments: Arguments) -> [OutputLine] {
        arguments.syntax.settings.flatMap { option in
            let given = arguments.allGiven(option)
            return given.isEmpty ? ["# \(option.name)\tdefault"] : given.map { line(of: $0, option) }
        }
    }

    private static func line(of given: GivenValue, _ option: Option) -> OutputLine {
        let isOn = Bool(switch: given.text) ?? true
        let value = option.placeholder == nil ? (isOn ? "yes" : "no") : given.shown(as: option)
        return "\(option.name) = \(value)\t\(given.place)"
    }
}

extension GivenValue {
    /// The place of the value, such as "/etc/calotype/serve.conf:3" or "CALOTYPE_KEY, @/run/secrets/key".
    fileprivate var place: String {
        let place =
            switch location {
            case .file(let path, let line): "\(path):\(line)"
            case .environment(let name): name
            case .commandLine: "command line"
            }
        return reference.map { "\(place), \($0.displayed)" } ?? place
    }
}
