import Foundation

/// `calotype man`: the manual pages, generated from the descriptions that `--help` prints.
struct ManualCommand: Command {
    static let syntax = CommandSyntax(
        name: "man", summary: "Print the manual page, or write the pages of all commands to a directory.",
        operands: "[DIR]", operandCount: 0...1, offer: .directories,
        notes: [
            """
            The pages are in man(7), for man and mandoc. With DIR, which is made, there is one for each command: \
            calotype.1, calotype-fetch.1 and so on. Pages that are there already are replaced.
            """
        ],
        examples: [
            ("man | man -l -", "read it"),
            ("man ~/.local/share/man/man1", "install the pages: then man calotype-fetch"),
        ])

    private let directory: String?

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        directory = arguments.operands.first
        if directory?.isEmpty == true { throw arguments.error("\"\": name a directory") }
    }

    func run(_ context: Context) async -> ExitStatus {
        guard let directory else {
            context.console.line(ManualPage.overview(Commands.syntaxes).text)
            return .success
        }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for page in [.overview(Commands.syntaxes)] + Commands.syntaxes.map(ManualPage.init) {
                let path = "\(directory)/\(page.name).1"
                try OutputFile(path: path, overwrites: true, temporaryFiles: context.temporaryFiles)
                    .write(Data((page.text + "\n").utf8))
            }
            return .success
        } catch let error as FileError {
            context.console.complain("man: \(error)")
        } catch {
            context.console.complain("man: the directory \(directory) cannot be made")
        }
        return .failure
    }
}
