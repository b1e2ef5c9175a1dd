/// A page in mdoc(7), the language of manual pages, built from top to bottom.
struct Mdoc {
    private var lines: [String]

    /// - Parameter title: a sentence; the section NAME shows it without the full stop.
    init(name: String, title: String) {
        lines = [".Dd \(Dispatcher.date)", ".Dt \(name.uppercased()) 1", ".Os"]
        section("Name")
        macro("Nm", name)
        let words = title.hasSuffix(".") ? String(title.dropLast()) : title
        macro("Nd", words.prefix(1).lowercased() + words.dropFirst())
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func section(_ name: String) { lines.append(".Sh \(name.uppercased())") }

    /// Adds a macro whose words are already valid mdoc.
    mutating func macro(_ line: String) { lines.append(".\(line)") }

    /// Adds a macro with a text, which is escaped.
    mutating func macro(_ name: String, _ text: String) { lines.append(".\(name) \(Mdoc.words(text))") }

    mutating func paragraphs(_ texts: [String]) {
        for text in texts {
            macro("Pp")
            paragraph(text)
        }
    }

    /// Adds a text with a new line for each sentence, as mdoc requires, and at most 78 columns a line.
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

    /// Escapes a text as the words of a macro, so that mdoc takes none of them for a macro itself.
    private static func words(_ text: String) -> String {
        text.split(separator: " ").map { word in
            let word = protected(escaped(String(word))).replacing("\"", with: "\\(dq")
            let isMacro = (2...3).contains(word.count) && word.allSatisfy(\.isLetter)
            let isDelimiter = word.allSatisfy { ".,:;()[]?!|".contains($0) }
            return isMacro || isDelimiter ? "\\&\(word)" : word
        }.joined(separator: " ")
    }

    /// Protects a line that begins with a dot or a quote, which would make it a request.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }

    /// Escapes backslashes and hyphens: a backslash begins an escape, and mdoc may break a line at a hyphen.
    private static func escaped(_ text: String) -> String {
        var text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
        for (character, name) in [("·", "\\(pc"), ("×", "\\(mu"), ("…", "..."), ("§", "\\(sc"), ("–", "\\(en")] {
            text = text.replacing(character, with: name)
        }
        return text
    }
}
