/// One manual page, in mdoc.
struct ManualPage {
    /// "calotype", "calotype-cache-stats".
    let name: String
    let text: String

    init(_ syntax: CommandSyntax) {
        name = ManualPage.name(of: syntax)
        var page = Mdoc(name: name, title: syntax.summary)
        page.section("Synopsis")
        page.macro("Nm calotype \(syntax.name)")
        if !syntax.options.isEmpty { page.macro("Op Ar options") }
        for operand in syntax.operands.split(separator: " ") { page.macro("Ar", String(operand)) }
        page.section("Description")
        page.paragraph(syntax.summary)
        page.options(syntax.allOptions)
        page.paragraphs(syntax.notes)
        page.examples(syntax.examples)
        page.section("See also")
        page.macro("Xr calotype 1")
        text = page.text
    }

    private init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The page of the command itself.
    static func overview(_ syntaxes: [CommandSyntax]) -> ManualPage {
        var page = Mdoc(name: "calotype", title: "load remote images, and make them the size you want.")
        page.section("Synopsis")
        page.macro("Nm")
        page.macro("Ar command")
        page.macro("Op Ar options")
        page.section("Description")
        page.paragraph(
            """
            Loads images from the web, caches them by the rules of HTTP, and decodes them at any size. It is built on \
            the library of the same name.
            """)
        page.list(syntaxes.map { ("Xr \(name(of: $0)) 1", $0.summary) })
        page.section("Environment")
        page.list([
            ("Ev XDG_CACHE_HOME", "The directory in which the cache is, in place of ~/.cache."),
            ("Ev XDG_CONFIG_HOME", "The directory in which the configuration is, in place of ~/.config."),
            (
                "Ev CALOTYPE_OPTION",
                "The value of an option, whose name stands in capitals and with _ for -: CALOTYPE_TIMEOUT=30."
            ),
            ("Ev NO_COLOR", "If it is set and not empty, errors are not red."),
        ])
        page.section("Files")
        page.list([("Pa ~/.config/calotype/config", SettingsHelp.file), ("Pa ~/.cache/calotype", "The cache.")])
        page.section("Exit status")
        page.list([
            ("0", "All good."), ("1", "Some of it failed; standard error has the reasons."),
            ("2", "The command line is wrong, and nothing was done."), ("130", "Interrupted."),
        ])
        page.examples(Array(syntaxes.compactMap { $0.examples.first }.prefix(6)))
        return ManualPage(name: "calotype", text: page.text)
    }

    static func name(of syntax: CommandSyntax) -> String { "calotype-\(syntax.name.replacing(" ", with: "-"))" }
}

/// The text on settings in the manual and the help.
enum SettingsHelp {
    static var file: String {
        """
        Values for options, one key = value a line, such as timeout = 30; lines that begin with # are comments. \
        The keys are \(Settings.options.map(\.name).joined(separator: ", ")). A switch is yes or no. The command line \
        wins over the environment, and the environment over the file.
        """
    }
}
