import CalotypeBase

extension ImgproxyVariables {
    typealias Environment = [String: String]

    /// One variable.
    struct Row: Sendable {
        let variable: String
        let effect: Effect

        init(_ name: String, _ effect: Effect) { (variable, self.effect) = ("IMGPROXY_\(name)", effect) }
    }

    enum Effect: Sendable {
        /// The variable stands for settings.
        case equal(Equal)
        /// The server always does this, which needs no setting. `except` are the values that ask for it.
        case always(String, except: @Sendable (String) -> Bool)
        /// The server does without it: results and permissions do not depend on it. `except` are the values that need no line
        /// at the start, because the server does what they ask for.
        case harmless(String, except: @Sendable (String) -> Bool)
        /// The server does not start, unless the value is one of those that ask for nothing.
        case refused(String, except: @Sendable (String) -> Bool)
    }

    struct Equal: Sendable {
        /// The name of the option.
        let option: String
        /// The end of the error message "expected …".
        var wanted = "another value"
        /// Returns the values of the option: none if the variable asks for the default, `nil` if it is wrong.
        var values: @Sendable (String, Environment) -> [String]?
        /// Returns a text about each part of the value that cannot apply.
        var leftOut: @Sendable (String, Environment) -> [String] = { _, _ in [] }
    }
}

// The forms of variables.

extension ImgproxyVariables.Effect {
    /// The value itself is that of a setting.
    static func setting(
        _ option: String, wanted: String = "another value",
        _ values: @escaping @Sendable (String) -> [String]? = { [$0] }
    ) -> Self {
        .equal(ImgproxyVariables.Equal(option: option, wanted: wanted, values: { text, _ in values(text) }))
    }

    /// A limit, which 0 turns off in imgproxy: the server then has its own.
    static func limit(_ option: String) -> Self { .setting(option) { Double($0) == 0 ? [] : [$0] } }

    static func flag(_ option: String, on: [String], off: [String] = []) -> Self {
        .setting(option, wanted: "true or false") { text in ImgproxyVariables.isOn(text).map { $0 ? on : off } }
    }

    /// A default of an option that URLs may have, too.
    static func urlOption(_ option: String) -> Self { .setting("defaults") { ["\(option):\($0)"] } }

    static func urlFlag(_ option: String) -> Self { .flag("defaults", on: ["\(option):1"], off: ["\(option):0"]) }

    /// A variable without effect.
    ///
    /// - Parameter values: The values that need no line at the start.
    static func ignored(_ reason: String, unless values: String...) -> Self {
        .harmless(reason, except: { values.contains($0.lowercased()) })
    }

    static func ignoredFlag(_ reason: String, unless value: Bool = false) -> Self {
        .harmless(reason, except: { ImgproxyVariables.isOn($0) == value })
    }

    static func alwaysSo(_ reason: String, unless values: String...) -> Self {
        .always(reason, except: { values.contains($0.lowercased()) })
    }

    static func alwaysFlag(_ reason: String, unless value: Bool) -> Self {
        .always(reason, except: { ImgproxyVariables.isOn($0) == value })
    }

    static func refusal(_ reason: String, unless values: String...) -> Self {
        .refused(reason, except: { values.contains($0.lowercased()) })
    }

    static func refusalFlag(_ reason: String, unless value: Bool = false) -> Self {
        .refused(reason, except: { ImgproxyVariables.isOn($0) == value })
    }
}

extension ImgproxyVariables {
    /// Parses a flag as Go does.
    static func isOn(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "t": true
        case "f": false
        default: Bool(switch: text)
        }
    }

    static func list(_ text: String, separator: String = ",") -> [String] {
        text.split(separator: separator).map { ByteString(String($0)).trimmed.string }.filter { !$0.isEmpty }
    }
}
