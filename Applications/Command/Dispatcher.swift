import CalotypeBase

/// The entry point of a command line: runs the command that it names, or prints help or the version.
struct Dispatcher: Sendable {
    static let version = "0.2.0"
    /// The date of the version, for the manual pages.
    static let date = "November 29, 2026"

    let context: Context
    private var console: Console { context.console }

    func run(_ words: [ByteString]) async -> ExitStatus {
        do throws(UsageError) {
            return try await carryOut(words[...])
        } catch {
            console.complain(error.description)
            return .usage
        }
    }

    private func carryOut(_ words: ArraySlice<ByteString>) async throws(UsageError) -> ExitStatus {
        switch words.first {
        case nil: throw UsageError("name a command")
        case "--version": return say("calotype \(Dispatcher.version)")
        case "--help", "-h": return say(HelpText.overview(Commands.syntaxes, width: console.width))
        case "help": return try await carryOut(words.dropFirst() + ["--help"])
        case let first? where Commands.groups.contains(first.displayed) && isHelp(words.dropFirst().first):
            let first = first.displayed
            let group = Commands.syntaxes.filter { $0.firstWord == first }
            return say(HelpText.overview(group, group: first, width: console.width))
        default: return try await perform(words)
        }
    }

    private func perform(_ words: ArraySlice<ByteString>) async throws(UsageError) -> ExitStatus {
        let (command, rest) = try recognize(words)
        var arguments = try ArgumentParser.parse(rest, for: command.syntax)
        if arguments.has(.help) { return say(HelpText.of(command.syntax, width: console.width)) }
        if command.syntax.readsSettings { arguments = try Settings(context).completing(arguments) }
        if arguments.has(.printConfig) { return try list(arguments, of: command) }
        return try await command.init(arguments, context).run(context)
    }

    /// Prints the settings, and then checks them, so that a mistake hides none of them.
    private func list(_ arguments: Arguments, of command: any Command.Type) throws(UsageError) -> ExitStatus {
        for line in SettingsListing.lines(of: arguments) { console.line(line) }
        _ = try command.init(arguments, context)
        return .success
    }

    private func recognize(
        _ words: ArraySlice<ByteString>
    ) throws(UsageError) -> (command: any Command.Type, rest: ArraySlice<ByteString>) {
        for count in [2, 1] {
            let name = words.prefix(count).joined(separator: " ").displayed
            if let command = Commands.all.first(where: { $0.syntax.name == name }) {
                return (command, words.dropFirst(count))
            }
        }
        throw unknown(words)
    }

    private func unknown(_ words: ArraySlice<ByteString>) -> UsageError {
        let first = words.first?.displayed ?? ""
        let group = Commands.groups.contains(first) ? first : nil
        if first.hasPrefix("-") {
            let near = Suggestion.nearest(to: String(first.drop { $0 == "-" }), among: ["help", "version"])
            return UsageError(
                near.map { "unknown option \(first); did you mean --\($0)?" }
                    ?? "name a command before option \(first)")
        }
        let word = group == nil ? first : words.dropFirst().first?.displayed ?? ""
        let members = Commands.syntaxes.filter { $0.firstWord == group }
        let known = group == nil ? Commands.syntaxes.map(\.firstWord) : members.compactMap(\.secondWord)
        if word.isEmpty {
            return UsageError("\(first) requires one of: \(known.joined(separator: ", "))", command: group)
        }
        let hint = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown command '\(word)'\(hint)", command: group)
    }

    private func isHelp(_ word: ByteString?) -> Bool { word == "--help" || word == "-h" || word == "help" }

    private func say(_ text: String) -> ExitStatus {
        console.line(text)
        return .success
    }
}
