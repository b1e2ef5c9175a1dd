import CalotypeBase
import Foundation

struct WarmCommand: Command {
    static let syntax = CommandSyntax(
        name: "warm", summary: "Have a server make the renditions of a list.", operands: "LIST", operandCount: 1...1,
        options: [.null, .server, .accept, .connections, .warmVerbose],
        notes: [
            """
            LIST is a file with the URLs of a running calotype serve, one per line, or - for standard input. Lines that \
            begin with # are ignored. With --server, lines may also be paths. All URLs of one source are asked for one after \
            the other, so that its sizes are made from one decode. The answers are read and dropped.
            """,
            """
            To go on after an interruption, run the same command again. There is no file with its progress: what the \
            server has stored, it sends from its store, and counts as stored. It needs --store for that, or enough memory.
            """,
            """
            At a 503, all connections wait for the time that Retry-After names, and ask again. Any other failure is one \
            line on standard error, and the status is then 1. If the server cannot be reached, the command ends.
            """,
        ],
        examples: [
            ("warm urls.txt", "all URLs of a file"),
            ("warm --server http://127.0.0.1:8080 --accept image/webp -", "paths from a pipe, as a browser asks"),
        ])

    private let targets: [WarmTarget]
    private let accept: ByteString?
    private let connections: Int
    private let isVerbose: Bool

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let server = try arguments.value(.server, wanted: "a URL such as http://127.0.0.1:8080") {
            WarmTarget.origin($0)
        }
        connections = try arguments.integer(.connections, in: 1...256) ?? 8
        accept = arguments[.accept].map { ByteString($0) }
        isVerbose = arguments.has(.warmVerbose)
        let list = arguments.operands[0]
        let lines = try InputList.entries(ofList: list, arguments)
        var targets: [WarmTarget] = []
        for line in lines {
            guard let target = WarmTarget(line, server) else {
                throw arguments.error(
                    "\(list.displayed): \(Address.label(of: line)) is not a URL of a server, or a path below --server")
            }
            targets.append(target)
        }
        self.targets = targets.groupedBySource
    }

    func run(_ context: Context) async -> ExitStatus {
        let run = WarmRun(
            targets: targets, accept: accept, connections: connections, isVerbose: isVerbose, console: context.console)
        return await run.perform()
    }
}

extension Option {
    fileprivate static let server = Option(
        "server", nil, "URL", help: "The server of lines that are paths, such as http://127.0.0.1:8080.")
    fileprivate static let accept = Option(
        "accept", nil, "TYPES",
        help: "The media types of the clients to come, such as image/avif,image/webp. The default is none.")
    fileprivate static let connections = Option(
        "connections", "j", "N", help: "Ask for this many renditions at a time. The default is 8.")
    fileprivate static let warmVerbose = Option(
        "verbose", "v", help: "Print a line for each URL, with its status and what the server did.")
}
