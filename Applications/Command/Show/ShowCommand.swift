import Calotype
import CalotypeCodecs
import Foundation

/// `calotype show`: images in the terminal.
struct ShowCommand: Command {
    static let syntax = CommandSyntax(
        name: "show", summary: "Draw images in the terminal, at its size.",
        operands: "FILE|URL...", operandCount: 1...Int.max, offer: .files,
        options: [.graphics, .columns, .rows, .isolate] + NetworkOptions.options,
        notes: [
            """
            Draws with kitty's graphics protocol or sixel graphics where the terminal has them, and with block \
            characters where it has neither. The environment and the terminal itself are asked; --protocol overrides \
            both. Nothing is asked where standard output is no terminal.
            """,
            """
            An image that arrives slowly is drawn as far as it is there. Images are never enlarged. - is standard \
            input. Of an animation, the first frame is drawn. Block characters have colors of 24 bits where COLORTERM \
            says so, of 256 otherwise.
            """,
        ],
        examples: [
            ("show photo.jpg", "a file"),
            ("show https://example.com/photo.jpg", "a URL, from the cache if it is fresh"),
            ("show --columns 40 *.png", "several, small"),
            ("show --protocol blocks photo.jpg > photo.txt", "as text, to print again with cat"),
        ])

    private let names: [String]
    private let chosen: GraphicsProtocol?
    private let cells: TerminalCells
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        names = arguments.operands
        if names.filter({ $0 == "-" }).count > 1 { throw arguments.error("standard input (-) can be read once") }
        chosen = try arguments.choice(.graphics, GraphicsProtocol.names)
        var cells = TerminalCells(of: .output, environment: context.environment)
        cells.columns = try arguments.integer(.columns, in: 1...10_000) ?? cells.columns
        cells.rows = try arguments.integer(.rows, in: 1...10_000) ?? cells.rows
        self.cells = cells
        network = try NetworkOptions(arguments, context)
    }

    func run(_ context: Context) async -> ExitStatus {
        guard network.canIsolate(context.console) else { return .failure }
        let loader = network.makeLoader(parallel: 1, meter: Meter(), context, isVerbose: false)
        let graphics = graphics(context)
        var status = ExitStatus.success
        for name in names where !Task.isCancelled {
            do throws(Failure) {
                try await show(name, loader, graphics, context)
            } catch {
                status = .failure
                if !error.isCancelled { context.console.complain("\(Address.label(of: name)): \(error)") }
            }
        }
        await loader.diskStore?.closeForGood()
        return status
    }

    private func graphics(_ context: Context) -> GraphicsProtocol {
        if let chosen { return chosen }
        guard Stream.output.isTerminal else { return .blocks }
        return GraphicsProtocol.named(by: context.environment)
            ?? TerminalQuery.ask().map(GraphicsProtocol.init(answer:)) ?? .blocks
    }

    private func show(
        _ name: String, _ loader: ImageLoader, _ graphics: GraphicsProtocol, _ context: Context
    ) async throws(Failure) {
        var request = ImageRequest(source: try source(name, loader), policy: network.policy)
        request.size = ResizeTarget(width: cells.pixels.width, height: cells.pixels.height)
        // A file or a pipe keeps the output, and needs the finished image only.
        request.previews = Stream.output.isTerminal ? .scans : .off
        let fullColor = ShowCommand.hasFullColor(context.environment)
        // The image replaces its previews, which have the same size.
        var rowsBefore = 0
        do {
            for try await event in loader.events(for: request) {
                guard let bitmap = event.response?.bitmap ?? event.preview?.bitmap else { continue }
                let text = try TerminalImage.drawing(bitmap, graphics, cells, fullColor: fullColor, over: rowsBefore)
                context.console.write(text)
                rowsBefore = cells.area(of: bitmap.size, graphics).rows
            }
        } catch let error as ImageError {
            throw Failure(error)
        } catch let error as CodecError {
            throw Failure(error)
        } catch {
            throw Failure(code: "failed", "\(error)")
        }
    }

    /// Whether the terminal's text has colors of 24 bits.
    static func hasFullColor(_ environment: [String: String]) -> Bool {
        let term = environment["TERM"] ?? ""
        return ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.contains("direct")
            || term.contains("kitty")
    }

    private func source(_ name: String, _ loader: ImageLoader) throws(Failure) -> ImageSource {
        if name == "-" {
            do throws(FileError) {
                return .data(try InputFile.read(name, limit: SourceReader.sizeLimit))
            } catch {
                throw Failure(code: "fileUnreadable", error.message)
            }
        }
        let address = try Address(name, allowsPaths: true)
        return address.isURL ? .request(network.request(address.url)) : .file(address.url)
    }
}

extension Option {
    fileprivate static let graphics = Option(
        "protocol", nil, "PROTOCOL", offers: .words(GraphicsProtocol.allCases.map(\.rawValue)), isSetting: true,
        help: "kitty, sixel or blocks. The default is the best one that the terminal has.")
    fileprivate static let columns = Option(
        "columns", nil, "N", help: "Columns at most. The default is the terminal's width, or 80.")
    fileprivate static let rows = Option(
        "rows", nil, "N", help: "Rows at most. The default is the terminal's height without one, or 24.")
}
