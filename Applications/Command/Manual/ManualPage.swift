struct ManualPage {
    /// The name, such as "calotype-cache-stats".
    let name: String
    let text: String

    private enum Block {
        case paragraph(String)
        case item(head: String, text: String)
        case example(line: String, effect: String)
    }

    init(_ syntax: CommandSyntax) {
        let options = syntax.allOptions.map { option in
            Block.item(head: option.synopsis.drop { $0 == " " }.description, text: option.help)
        }
        self.init(
            ManualPage.name(of: syntax), title: syntax.summary,
            [
                ("Synopsis", [.paragraph(syntax.usage)]),
                ("Description", [.paragraph(syntax.summary)] + options + syntax.notes.map { .paragraph($0) }),
                ("Examples", syntax.examples.map { .example(line: $0.line, effect: $0.effect) }),
                ("See also", [.paragraph("calotype(1)")]),
            ])
    }

    static func overview(_ syntaxes: [CommandSyntax]) -> ManualPage {
        let commands = syntaxes.map { Block.item(head: "\(name(of: $0))(1)", text: $0.summary) }
        let about = """
            calotype loads images from the web, caches them by the rules of HTTP, and decodes them at any size. It is \
            built on the library of the same name.
            """
        let environment = [
            ("XDG_CACHE_HOME", "The parent directory of the cache, instead of ~/.cache."),
            ("XDG_CONFIG_HOME", "The parent directory of the configuration, instead of ~/.config."),
            (
                "CALOTYPE_OPTION",
                "The value of the option, written in capitals with _ instead of -: CALOTYPE_TIMEOUT=30."
            ),
            ("NO_COLOR", "If this is not empty, errors are not red."),
        ]
        let statuses = [
            ("0", "Success."), ("1", "Part of the work failed; standard error has the reasons."),
            ("2", "The command line is invalid, and nothing was done."), ("130", "Interrupted."),
        ]
        let files = [("~/.config/calotype/config", settings), ("~/.cache/calotype", "The cache.")]
        return ManualPage(
            "calotype", title: "load, cache, resize and convert images.",
            [
                ("Synopsis", [.paragraph("calotype COMMAND [options]")]),
                ("Description", [.paragraph(about)] + commands),
                ("Environment", environment.map { .item(head: $0, text: $1) }),
                ("Files", files.map { .item(head: $0, text: $1) }),
                ("Exit status", statuses.map { .item(head: $0, text: $1) }),
                (
                    "Examples",
                    syntaxes.compactMap(\.examples.first).prefix(6).map { .example(line: $0.line, effect: $0.effect) }
                ),
            ])
    }

    private static var settings: String {
        """
        Values of options, one key = value per line, such as timeout = 30. Lines that begin with # are comments. \
        The keys are \(Settings.options.map(\.name).joined(separator: ", ")). A switch is yes or no. The command line \
        overrides the environment, and the environment overrides the file. The file of --config of a server overrides \
        this one.
        """
    }

    static func name(of syntax: CommandSyntax) -> String { "calotype-\(syntax.hyphenatedName)" }

    /// - Parameter title: A sentence. The section NAME shows it with a lower-case initial and without its period.
    private init(_ name: String, title: String, _ sections: [(name: String, blocks: [Block])]) {
        let title = title.prefix(1).lowercased() + title.dropFirst()
        let words = title.hasSuffix(".") ? String(title.dropLast()) : title
        var lines = [".TH \(name.uppercased()) 1 \"\(Dispatcher.date)\"", ".SH NAME"]
        lines += ManualPage.lines("\(name) - \(words)")
        for section in sections where !section.blocks.isEmpty {
            lines.append(".SH \(section.name.uppercased())")
            let body = section.blocks.flatMap(ManualPage.lines)
            // A heading already begins a paragraph, so the first `.PP` below it is superfluous.
            lines += body.first == ".PP" ? body.dropFirst() : body[...]
        }
        self.name = name
        text = lines.joined(separator: "\n")
    }

    private static func lines(_ block: Block) -> [String] {
        switch block {
        case .paragraph(let text): [".PP"] + lines(text)
        case .item(let head, let text): [".TP", "\\fB\(escaped(head))\\fP"] + lines(text)
        case .example(let line, let effect):
            [".PP"] + lines("\(effect.prefix(1).uppercased())\(effect.dropFirst()):")
                + [".PP", ".RS 4", ".EX", escaped("calotype \(line)"), ".EE", ".RE"]
        }
    }

    /// Breaks a text into lines of 78 columns. `\\&` keeps man(7) from reading a leading dot or quote as a request.
    private static func lines(_ text: String) -> [String] {
        HelpText.wrapped(escaped(text), width: 78).map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : $0 }
    }

    /// Escapes backslashes, which begin an escape, hyphens, which permit a line break, and characters beyond ASCII.
    private static func escaped(_ text: String) -> String {
        var text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
        for (character, name) in [("·", "\\(pc"), ("×", "\\(mu"), ("…", "..."), ("§", "\\(sc"), ("–", "\\(en")] {
            text = text.replacing(character, with: name)
        }
        return text
    }
}
