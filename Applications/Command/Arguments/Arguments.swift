/// The arguments of a command, sorted by the parser. Reading a value checks it; an error names its option.
struct Arguments: Sendable {
    let syntax: CommandSyntax
    let operands: [String]
    private var values: [String: [GivenValue]]

    init(syntax: CommandSyntax, values: [String: [GivenValue]], operands: [String]) {
        self.syntax = syntax
        self.values = values
        self.operands = operands
    }

    /// Returns `true` if an option was given, and if a switch is on.
    func has(_ option: Option) -> Bool {
        guard let given = given(option) else { return false }
        return option.placeholder != nil || Bool(switch: given.text) ?? true
    }

    /// The value that was given last.
    subscript(_ option: Option) -> String? { given(option)?.text }

    func all(_ option: Option) -> [String] { values[option.name]?.map(\.text) ?? [] }

    func given(_ option: Option) -> GivenValue? { values[option.name]?.last }

    func allGiven(_ option: Option) -> [GivenValue] { values[option.name] ?? [] }

    /// Takes values from the environment or a file for an option that the command line does not have.
    mutating func fill(_ option: Option, with given: [GivenValue]) {
        if values[option.name] == nil, !given.isEmpty { values[option.name] = given }
    }

    /// Returns a value as `parse` reads it.
    ///
    /// - Parameter wanted: the end of the sentence "… is not", such as "a size like 400x300, 400 or x300".
    func value<Value>(_ option: Option, wanted: String, _ parse: (String) -> Value?) throws(UsageError) -> Value? {
        guard let given = given(option) else { return nil }
        guard let value = parse(given.text) else { throw error(option, "that is not \(wanted)") }
        return value
    }

    func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        try value(option, wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns the value of one of several words. For an unknown word the error suggests the nearest.
    func choice<Value>(_ option: Option, _ choices: [(word: String, value: Value)]) throws(UsageError) -> Value? {
        guard let text = self[option] else { return nil }
        if let choice = choices.first(where: { $0.word == text.lowercased() }) { return choice.value }
        let words = choices.map(\.word)
        let hint = Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
        throw error(option, "known are \(words.joined(separator: ", "))\(hint)")
    }

    func error(_ message: String) -> UsageError { UsageError(message, command: syntax.name) }

    /// Returns an error that names an option and the place of its value.
    func error(_ option: Option, _ message: String) -> UsageError {
        error("\(given(option)?.written(as: option) ?? "--\(option.name)"): \(message)")
    }
}
