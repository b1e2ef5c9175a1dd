import CalotypeBase
import Foundation

struct ManualCommand: Command {
    static let syntax = CommandSyntax(
        name: "man", summary: "Print a manual page, or write the pages of all commands to a directory.",
        operands: "[COMMAND|DIR]", operandCount: 0...2, offer: .directories,
        notes: [
            """
            The pages are in man(7), for man and mandoc. Without an operand, the command prints the page calotype(1); \
            with the name of a command, such as fetch or cache stats, that command's page. Any other operand is a \
            directory, which receives one page per command: calotype.1, calotype-fetch.1 and so on. The directory is \
            created if it does not exist; existing pages are replaced. A new directory whose name resembles that of a \
            command is written with a slash, such as ./man1.
            """
        ],
        examples: [
            ("man | man -l -", "the overview"), ("man cache stats | man -l -", "the page of a command"),
            ("man ~/.local/share/man/man1", "install the pages; then read them with man calotype-fetch"),
        ])

    private enum Output {
        case page(ManualPage)
        case directory(LocalPath)
    }

    private let output: Output

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let name = arguments.operands.joined(separator: " ").displayed
        output =
            if arguments.operands.isEmpty {
                .page(.overview(Commands.syntaxes))
            } else if let syntax = Commands.syntaxes.first(where: { [$0.name, $0.hyphenatedName].contains(name) }) {
                .page(ManualPage(syntax))
            } else if Commands.groups.contains(name) {
                throw arguments.error("'\(name)' is a group of commands; name one of them")
            } else {
                .directory(try ManualCommand.directory(arguments))
            }
    }

    /// Returns the directory that the operand names. A name that resembles a command's is a mistake, unless it has a
    /// slash or the directory exists.
    private static func directory(_ arguments: Arguments) throws(UsageError) -> LocalPath {
        let name = arguments.operands.joined(separator: " ")
        let path = LocalPath(name)
        let isOne = arguments.operands.count == 1 && !name.isEmpty
        if isOne, name.contains(UInt8(ascii: "/")) || path.isFolder { return path }
        let known = Commands.syntaxes.flatMap { [$0.name, $0.hyphenatedName] } + Commands.groups
        let nearest = Suggestion.nearest(to: name.displayed, among: known)
        if isOne, nearest == nil { return path }
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        throw arguments.error("'\(name.displayed)' is neither a command nor a directory\(hint)")
    }

    func run(_ context: Context) async -> ExitStatus {
        do throws(FileError) {
            switch output {
            case .page(let page): context.console.line(page.text)
            case .directory(let directory): try write(to: directory, context)
            }
            return .success
        } catch {
            context.console.complain("man: \(error)")
            return .failure
        }
    }

    private func write(to directory: LocalPath, _ context: Context) throws(FileError) {
        try Destination.makeFolder(of: directory.appending("calotype.1"))
        let pages = [.overview(Commands.syntaxes)] + Commands.syntaxes.map(ManualPage.init)
        for page in pages {
            let path = Destination.path(directory, LocalPath("\(page.name).1"))
            try OutputFile(path: path, overwrites: true, temporaryFiles: context.temporaryFiles)
                .write(Data((page.text + "\n").utf8))
        }
        context.console.line("\(pages.count) pages written to \(name: directory.bytes)")
    }
}
