package import CalotypeBase

/// A parser that sorts a command's words into options and operands.
///
/// Accepts `--name value`, `--name=value`, `-n value` and `-nvalue`; `--`, after which every word is an operand; and
/// `-` as an operand or a value. Options may precede, separate and follow operands. The last value of a repeated option
/// counts, unless the command reads all of them.
package struct ArgumentParser {
    private let syntax: CommandSyntax
    private var words: ArraySlice<ByteString>
    private var values: [String: [GivenValue]] = [:]
    private var operands: [ByteString] = []

    package static func parse(_ words: ArraySlice<ByteString>, for syntax: CommandSyntax) throws(UsageError)
        -> Arguments
    {
        var parser = ArgumentParser(syntax: syntax, words: words)
        return try parser.parse()
    }

    private mutating func parse() throws(UsageError) -> Arguments {
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                words = []
            } else if word.hasPrefix("--") {
                try takeLong(word)
            } else if word.hasPrefix("-"), word != "-" {
                try takeShort(word)
            } else {
                operands.append(word)
            }
        }
        let arguments = Arguments(syntax: syntax, operands: operands, values: values)
        if !arguments.has(.help) { try checkOperands() }
        return arguments
    }

    private mutating func takeLong(_ word: ByteString) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: UInt8(ascii: "="), maxSplits: 1)
        let name = parts[0].displayed
        guard let option = syntax.allOptions.first(where: { $0.name == name }) else {
            throw unknown("--\(name)", near: name, in: word)
        }
        try take(option, written: "--\(name)", value: parts.count > 1 ? parts[1] : nil)
    }

    private mutating func takeShort(_ word: ByteString) throws(UsageError) {
        let name = word.dropFirst().displayed
        guard let letter = name.first else { return }
        guard let option = syntax.allOptions.first(where: { $0.letter == letter }) else {
            throw unknown("-\(letter)", near: name, in: word)
        }
        // The letters of options are ASCII.
        let rest = word.dropFirst(2)
        try take(option, written: "-\(letter)", value: rest.isEmpty ? nil : rest, word: word)
    }

    /// - Parameter word: The word that the value is a part of. `nil` (the default) if the value is a word of its own.
    private mutating func take(
        _ option: Option, written: String, value: ByteString?, word: ByteString? = nil
    ) throws(UsageError) {
        guard let placeholder = option.placeholder else {
            do throws(UsageError) { return try set(option, written: written, value: value) } catch {
                throw error.hinting(at: word)
            }
        }
        let file = value == nil ? nil : word
        guard var value = value ?? nextValue() else {
            throw error("option \(written) requires a value: \(written) \(placeholder)")
        }
        // A quoted argument, as in "--name='first second'", may already contain several of the option's words.
        for _ in 1..<max(1, option.words - value.bytes.count { $0 == UInt8(ascii: " ") }) {
            guard let next = nextValue() else {
                throw error("option \(written) requires \(option.words) words: \(written) \(placeholder)")
            }
            value.append(" \(next)")
        }
        guard option.takesBytes || value.utf8Text != nil else {
            throw error("option \(written): \(value.displayed) is not UTF-8")
        }
        values[option.name, default: []].append(GivenValue(bytes: value, location: .commandLine, word: file))
    }

    /// Sets a switch. `--no-cache=no` overrides a switch that the configuration file has turned on.
    private mutating func set(_ option: Option, written: String, value: ByteString?) throws(UsageError) {
        guard let value = value?.displayed else {
            return values[option.name] = [GivenValue(text: "", location: .commandLine)]
        }
        guard syntax.settings.contains(option) else { throw error("option \(written) takes no value") }
        guard Bool(switch: value) != nil else { throw error("option \(written) must be yes or no, not \(value)") }
        values[option.name] = [GivenValue(text: value, location: .commandLine)]
    }

    /// Removes and returns the next word. Returns `nil` if no word is left, or if the next one is a long option of the
    /// command: the user has probably forgotten the value.
    private mutating func nextValue() -> ByteString? {
        guard let next = words.first else { return nil }
        let name = next.dropFirst(2).split(separator: UInt8(ascii: "="), maxSplits: 1)[0].displayed
        if next.hasPrefix("--"), syntax.allOptions.contains(where: { $0.name == name }) { return nil }
        return words.popFirst()
    }

    private func checkOperands() throws(UsageError) {
        let range = syntax.operandCount
        let missing = syntax.operands.split(separator: " ").dropFirst(operands.count)
        if operands.count < range.lowerBound {
            let problem = error("\(missing.joined(separator: " and ")) \(missing.count > 1 ? "are" : "is") missing")
            let words = values.values.joined().compactMap(\.word)
            throw words.map { problem.hinting(at: $0) }.first { $0 != problem } ?? problem
        }
        guard operands.count > range.upperBound else { return }
        let extra = operands[range.upperBound].displayed
        throw error("unexpected argument '\(extra)'\(range.upperBound == 0 ? "" : " after \(syntax.operands)")")
    }

    private func unknown(_ written: String, near name: String, in word: ByteString) -> UsageError {
        if let secret = syntax.secretOptions.first(where: { $0.name == name }) {
            return error(
                "\(written): a command line shows its value to all users of this machine; "
                    + "set \(secret.variable), or \(name) in a file for --config")
        }
        let problem = error("unknown option \(written)")
        let hinted = problem.hinting(at: word)
        if hinted != problem { return hinted }
        let nearest = Suggestion.nearest(to: name, among: syntax.allOptions.map(\.name))
        return nearest.map { error("unknown option \(written); did you mean --\($0)?") } ?? problem
    }

    private func error(_ message: String) -> UsageError { UsageError(message, command: syntax.name) }
}
