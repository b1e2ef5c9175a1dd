package enum HelpText {
    package static func of(_ syntax: CommandSyntax, width: Int) -> String {
        var paragraphs = [syntax.summary, "usage: \(syntax.usage)"]
        paragraphs.append(table(syntax.allOptions.map { ($0.synopsis, $0.help) }, title: "options:", width: width))
        paragraphs += syntax.notes.map { wrapped($0, width: width).joined(separator: "\n") }
        if !syntax.examples.isEmpty { paragraphs.append(examples(syntax.examples)) }
        return paragraphs.joined(separator: "\n\n")
    }

    /// Returns the text for `calotype --help`, or for the commands of a group such as `cache`.
    package static func overview(_ syntaxes: [CommandSyntax], group: String? = nil, width: Int) -> String {
        let head =
            group.map { "The calotype \($0) commands." }
            ?? "calotype loads, caches, resizes and converts images from the web and from files."
        let usage = "usage: calotype \(group.map { "\($0) " } ?? "")COMMAND [options]"
        let commands = table(syntaxes.map { ("  \($0.name)", $0.summary) }, title: "commands:", width: width)
        let first = syntaxes.compactMap { $0.examples.first }.prefix(4)
        let more = "calotype COMMAND --help describes one command, with examples."
        let statuses = "Exit status: 0 success, 1 failure, 2 invalid command line, 130 interrupted."
        return [head, usage, commands, examples(Array(first)), more, statuses].joined(separator: "\n\n")
    }

    private static func examples(_ examples: [(line: String, effect: String)]) -> String {
        let lines = examples.map { "  # \($0.effect)\n  calotype \($0.line)" }
        return "examples:\n" + lines.joined(separator: "\n")
    }

    private static func table(_ rows: [(left: String, right: String)], title: String, width: Int) -> String {
        let indent = min(rows.map { $0.left.count }.max() ?? 0, 30) + 4
        var lines = [title]
        for row in rows {
            let text = wrapped(row.right, width: max(width - indent, 30))
            var left = "  \(row.left)"
            if left.count > indent - 2 {
                lines.append(left)
                left = ""
            }
            for (index, line) in text.enumerated() {
                let margin = index == 0 ? left : ""
                lines.append(margin + String(repeating: " ", count: indent - margin.count) + line)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Breaks a text between words into lines of at most `width` columns. A longer word gets a separate line.
    package static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
