/// A completion of the last word of a command line.
struct Completion: Hashable, Sendable {
    let word: String
    var help = ""

    /// A marker that makes the shell's script complete file paths itself.
    static let files = Completion(word: ":files")
    static let directories = Completion(word: ":directories")

    /// - Parameter words: The words after `calotype`, up to the cursor. Bash passes `--name=value` as three words.
    static func candidates(for words: [String]) -> [Completion] {
        var words = words
        if words.last == "=" { words.append("") }
        if words.dropLast().last == "=" { words.remove(at: words.count - 2) }
        let word = words.popLast() ?? ""
        return candidates(for: word, after: words).filter { $0.word.hasPrefix(word) || $0.word.hasPrefix(":") }
    }

    private static func candidates(for word: String, after words: [String]) -> [Completion] {
        let syntaxes = Commands.syntaxes
        guard let first = words.first, words != ["help"] else {
            let more = [
                ("help", "Describe a command."), ("--help", "List the commands."), ("--version", "Print the version."),
            ]
            return names(of: syntaxes) + (words.isEmpty ? more.map { Completion(word: $0, help: $1) } : [])
        }
        let members = syntaxes.filter { $0.firstWord == first }
        if words.count == 1, members.contains(where: { $0.secondWord != nil }) {
            return members.compactMap { syntax in
                syntax.secondWord.map { Completion(word: $0, help: syntax.summary) }
            }
        }
        let second = words.dropFirst().first
        guard let syntax = members.first(where: { $0.secondWord == nil || $0.secondWord == second }) else { return [] }
        return arguments(of: syntax, for: word, after: words.last ?? "")
    }

    /// Returns the first word of each command once. The help text of a group, such as `cache`, lists its second words.
    private static func names(of syntaxes: [CommandSyntax]) -> [Completion] {
        var names: [Completion] = []
        for syntax in syntaxes where !names.contains(where: { $0.word == syntax.firstWord }) {
            let members = syntaxes.filter { $0.firstWord == syntax.firstWord }.compactMap(\.secondWord)
            let help = members.isEmpty ? syntax.summary : "One of: \(members.joined(separator: ", "))."
            names.append(Completion(word: syntax.firstWord, help: help))
        }
        return names
    }

    private static func arguments(of syntax: CommandSyntax, for word: String, after last: String) -> [Completion] {
        let options = syntax.allOptions
        let takesValue = options.first { $0.placeholder != nil && [$0.long, $0.short].contains(last) }
        if let option = takesValue { return offered(option.offer) }
        if let option = options.first(where: { $0.placeholder != nil && word.hasPrefix("\($0.long)=") }) {
            return offered(option.offer, behind: "\(option.long)=")
        }
        return word.hasPrefix("-")
            ? options.map { Completion(word: $0.long, help: $0.help) } : offered(syntax.offer)
    }

    private static func offered(_ offer: Offer, behind prefix: String = "") -> [Completion] {
        switch offer {
        case .nothing: []
        case .files: [.files]
        case .directories: [.directories]
        case .words(let words): words.map { Completion(word: prefix + $0) }
        }
    }
}

extension CommandSyntax {
    /// The name with a hyphen between its words, such as "cache-stats".
    var hyphenatedName: String { name.replacing(" ", with: "-") }

    /// The first word of the name: "fetch", or "cache" of "cache stats".
    var firstWord: String { String(name.prefix { $0 != " " }) }

    /// The second word of the name: "stats" of "cache stats"; `nil` if the name is one word.
    var secondWord: String? { name.firstIndex(of: " ").map { String(name[name.index(after: $0)...]) } }
}

extension Option {
    fileprivate var long: String { "--\(name)" }
    fileprivate var short: String? { letter.map { "-\($0)" } }
}
