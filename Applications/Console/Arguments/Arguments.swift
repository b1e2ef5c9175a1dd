package import CalotypeBase
import Foundation

/// The options and operands of a command line. The functions that read a value validate it, and throw an error that
/// names the option.
package struct Arguments: Sendable {
    package let syntax: CommandSyntax
    package let operands: [ByteString]
    /// The values of each option by its name, in the order given.
    package private(set) var values: [String: [GivenValue]]
    private let line: [String: [GivenValue]]

    package init(syntax: CommandSyntax, operands: [ByteString], values: [String: [GivenValue]]) {
        (self.syntax, self.operands, self.values) = (syntax, operands, values)
        line = values
    }

    /// The arguments as the command line has them, without settings and without the contents of files.
    package var commandLine: Arguments { Arguments(syntax: syntax, operands: operands, values: line) }

    package func has(_ option: Option) -> Bool {
        guard let given = given(option) else { return false }
        return option.placeholder != nil || Bool(switch: given.text) ?? true
    }

    /// Whether the command line itself has the option, not the environment or the configuration file.
    package func demands(_ option: Option) -> Bool { has(option) && given(option)?.location == .commandLine }

    /// The last value of an option; `nil` if the option was not given.
    package subscript(_ option: Option) -> String? { given(option)?.text }

    /// The last value of an option that takes a path; `nil` if the option was not given.
    package func path(_ option: Option) -> LocalPath? { given(option).map { LocalPath($0.bytes) } }

    package func all(_ option: Option) -> [String] { values[option.name]?.map(\.text) ?? [] }

    package func given(_ option: Option) -> GivenValue? { values[option.name]?.last }

    package func allGiven(_ option: Option) -> [GivenValue] { values[option.name] ?? [] }

    /// Sets the values from the environment or the configuration file, unless the command line has set the option.
    package mutating func fill(_ option: Option, with given: [GivenValue]) {
        if values[option.name] == nil, !given.isEmpty { values[option.name] = given }
    }

    /// Replaces the values of an option; no values remove it.
    package mutating func replace(_ option: Option, by given: [GivenValue]) {
        values[option.name] = given.isEmpty ? nil : given
    }

    /// Returns an option's last value as parsed by `parse`; `nil` if the option was not given.
    ///
    /// - Parameter wanted: The end of the error message "expected …", such as "a size like 400x300, 400 or x300".
    package func value<Value>(_ option: Option, wanted: String, _ parse: (String) -> Value?) throws(UsageError)
        -> Value?
    {
        guard let given = given(option) else { return nil }
        guard let value = parse(given.text) else { throw error(option, "expected \(wanted)") }
        return value
    }

    package func integer(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        let end = range.upperBound == .max ? "up" : "to \(range.upperBound)"
        return try value(option, wanted: "a whole number from \(range.lowerBound) \(end)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns the choice that the option's value names; `nil` if the option was not given.
    package func choice<Value>(_ option: Option, _ choices: [(word: String, value: Value)]) throws(UsageError) -> Value?
    {
        guard let text = self[option] else { return nil }
        if let choice = choices.first(where: { $0.word == text.lowercased() }) { return choice.value }
        let words = choices.map(\.word)
        let hint = Suggestion.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
        throw error(option, "expected one of \(words.joined(separator: ", "))\(hint)")
    }

    package func readableFile(_ option: Option) throws(UsageError) -> String? {
        try value(option, wanted: "a readable file") { path in
            FileManager.default.isReadableFile(atPath: path) ? path : nil
        }
    }

    package func error(_ message: String) -> UsageError { UsageError(message, command: syntax.name) }

    /// Returns an error about one of several values of an option.
    package func error(_ given: GivenValue, of option: Option, _ message: String) -> UsageError {
        error("\(given.written(as: option)): \(message)")
    }

    package func error(_ option: Option, _ message: String) -> UsageError {
        error("\(given(option)?.written(as: option) ?? "--\(option.name)"): \(message)").hinting(
            at: given(option)?.word)
    }
}
