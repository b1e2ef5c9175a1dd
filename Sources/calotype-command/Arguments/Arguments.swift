/// The arguments of a command, sorted by the parser. Asking for a value checks it and names the option if it is wrong.
struct Arguments: Sendable {
    let syntax: CommandSyntax
    let operands: [String]
    private let values: [String: [String]]

    init(syntax: CommandSyntax, values: [String: [String]], operands: [String]) {
        self.syntax = syntax
        self.values = values
        self.operands = operands
    }

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value that was given last.
    subscript(_ option: Option) -> String? { values[option.name]?.last }

    func all(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// A value that `parse` understands.
    ///
    /// - Parameter wanted: ends the sentence "… is not", such as "a size like 400x300, 400 or x300".
    func value<Value>(_ option: Option, wanted: String, _ parse: (String) -> Value?) throws(UsageError) -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = parse(text) else { throw error("--\(option.name) \(text): that is not \(wanted)") }
        return value
    }

    func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        try value(option, wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// One of several words, the nearest of which is suggested.
    func choice<Value>(_ option: Option, _ choices: [(word: String, value: Value)]) throws(UsageError) -> Value? {
        guard let text = self[option] else { return nil }
        if let choice = choices.first(where: { $0.word == text.lowercased() }) { return choice.value }
        let words = choices.map(\.word)
        let hint = Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
        throw error("--\(option.name) \(text): known are \(words.joined(separator: ", "))\(hint)")
    }

    func error(_ message: String) -> UsageError { UsageError(message, command: syntax.name) }
}
