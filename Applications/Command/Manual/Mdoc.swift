/// A text in the manual pages' language, mdoc(7), built from the top to the bottom.
struct Mdoc {
    private var lines: [String]

    /// - Parameter title: a sentence, of which NAME shows the words without the full stop.
    init(name: String, title: String) {
        lines = [".Dd \(Dispatcher.date)", ".Dt \(name.uppercased()) 1", ".Os"]
        section("Name")
        macro("Nm", name)
        let words = title.hasSuffix(".") ? String(title.dropLast()) : title
        macro("Nd", words.prefix(1).lowercased() + words.dropFirst())
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func section(_ name: String) { lines.append(".Sh \(name.uppercased())") }

    /// A macro whose words mean what they say in mdoc.
    mutating func macro(_ line: String) { lines.append(".\(line)") }

    /// A macro with a text.
    mutating func macro(_ name: String, _ text: String) { lines.append(".\(name) \(Mdoc.words(text))") }

    mutating func paragraphs(_ texts: [String]) {
        for text in texts {
            macro("Pp")
            paragraph(text)
        }
    }

    /// A new line for each sentence, as mdoc wants, none longer than 78 columns.
    mutating func paragraph(_ text: String) {
        for sentence in Mdoc.sentences(text) {
            lines += HelpText.wrapped(Mdoc.escaped(sentence), width: 78).map(Mdoc.protected)
        }
    }

    mutating func list(_ items: [(head: String, text: String)]) {
        macro("Bl -tag -width Ds")
        for item in items {
            macro("It \(item.head)")
            paragraph(item.text)
        }
        macro("El")
    }

    mutating func options(_ options: [Option]) {
        list(
            options.map { option in
                let value = option.placeholder.map { " Ar \(Mdoc.words($0))" } ?? ""
                let short = option.letter.map { "Fl \($0)\(value) , " } ?? ""
                return ("\(short)Fl Fl \(option.name)\(value)", option.help)
            })
    }

    mutating func examples(_ examples: [(line: String, effect: String)]) {
        guard !examples.isEmpty else { return }
        section("Examples")
        for (index, example) in examples.enumerated() {
            if index > 0 { macro("Pp") }
            paragraph("\(example.effect.prefix(1).uppercased())\(example.effect.dropFirst()):")
            macro("Dl", "calotype \(example.line)")
        }
    }

    private static func sentences(_ text: String) -> [String] {
        var sentences = [""]
        for word in text.split(separator: " ") {
            if !sentences[sentences.count - 1].isEmpty { sentences[sentences.count - 1] += " " }
            sentences[sentences.count - 1] += word
            if word.hasSuffix(".") || word.hasSuffix("?") || word.hasSuffix("!") { sentences.append("") }
        }
        return sentences.filter { !$0.isEmpty }
    }

    /// A text as the words of a macro, none of which may be taken for a macro itself.
    private static func words(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let word = protected(escaped(String(word))).replacing("\"", with: "\\(dq")
            let isMacro = (2...3).contains(word.count) && word.allSatisfy(\.isLetter)
            let isDelimiter = word.allSatisfy { ".,:;()[]?!|".contains($0) }
            return isMacro || isDelimiter ? "\\&\(word)" : word
        }.joined(separator: " ")
    }

    /// A dot or a quote at the beginning of a line makes it a request.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }

    /// A backslash begins an escape, and a hyphen may be broken at.
    private static func escaped(_ text: String) -> String {
        var text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
        for (character, name) in [("·", "\\(pc"), ("×", "\\(mu"), ("…", "..."), ("§", "\\(sc"), ("–", "\\(en")] {
            text = text.replacing(character, with: name)
        }
        return text
    }
}
