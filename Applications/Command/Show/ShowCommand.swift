import Calotype
import CalotypeBase
import CalotypeCodecs

struct ShowCommand: Command {
    static let syntax = CommandSyntax(
        name: "show", summary: "Draw images in the terminal, scaled to fit.",
        operands: "FILE|URL...", operandCount: 1...Int.max, offer: .files,
        options: [.graphics, .background, .columns, .rows, .maxDecode, .isolate] + NetworkOptions.options,
        notes: [
            """
            show draws with kitty's graphics protocol or sixel graphics if the terminal supports one of them, and with \
            block characters otherwise. The environment determines the protocol, or else the terminal is asked; \
            --protocol overrides both. If standard output is not a terminal, nothing is asked, and the output is text.
            """,
            """
            Translucent pixels are drawn over the terminal's background color, for which a terminal is asked at the \
            first image with transparency; without an answer within 0.2 seconds, over black. --background overrides \
            both. Clear pixels stay unpainted, except in kitty's protocol.
            """,
            """
            An image that arrives slowly is drawn as far as it has arrived. Images are never enlarged. An animation is \
            drawn as its first frame. - is standard input. Block characters have 24-bit color if COLORTERM announces \
            it, otherwise 256 colors.
            """,
        ],
        examples: [
            ("show photo.jpg", "a file"),
            ("show https://example.com/photo.jpg", "a URL"),
            ("show --columns 40 *.png", "several images, 40 columns wide"),
            ("show --protocol blocks photo.jpg > photo.txt", "as text, for cat photo.txt"),
            ("show --background white logo.png", "translucent pixels over white"),
        ])

    private let names: [ByteString]
    private let chosen: GraphicsProtocol?
    private let background: ImageColor?
    private let cells: TerminalCells
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        names = arguments.operands
        if names.filter({ $0 == "-" }).count > 1 { throw arguments.error("standard input (-) can be read only once") }
        chosen = try arguments.choice(.graphics, GraphicsProtocol.names)
        background = try arguments.value(.background, wanted: "an opaque color: #rgb, #rrggbb, black or white") {
            text in
            ImageColor(text).flatMap { $0.alpha == 255 ? $0 : nil }
        }
        var cells = TerminalCells(of: .output, environment: context.environment)
        cells.columns = try arguments.integer(.columns, in: 1...10_000) ?? cells.columns
        cells.rows = try arguments.integer(.rows, in: 1...10_000) ?? cells.rows
        self.cells = cells
        network = try NetworkOptions(arguments, context)
    }

    func run(_ context: Context) async -> ExitStatus {
        guard network.canIsolate(context.console) else { return .failure }
        let loader = network.makeLoader(parallel: 1, meter: Meter(), context, isVerbose: false)
        let image = TerminalImage(
            graphics: graphics(context), cells: cells, fullColor: ShowCommand.hasFullColor(context.environment))
        let asks = Stream.output.isTerminal && !GraphicsProtocol.isPlain(context.environment)
        var background = TerminalBackground(background) { asks ? TerminalQuery.background.ask() : nil }
        var status = ExitStatus.success
        for name in names where !Task.isCancelled {
            do throws(Failure) {
                try await show(name, loader, image, &background, context)
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
            ?? TerminalQuery.graphics.ask().map(GraphicsProtocol.init(answer:)) ?? .blocks
    }

    private func show(
        _ name: ByteString, _ loader: ImageLoader, _ image: TerminalImage, _ background: inout TerminalBackground,
        _ context: Context
    ) async throws(Failure) {
        var request = ImageRequest(source: try source(name, loader), policy: network.policy)
        request.size = ResizeTarget(width: cells.pixels.width, height: cells.pixels.height)
        // Only a terminal replaces each preview by the next; a file or a pipe would keep them all.
        request.previews = Stream.output.isTerminal ? .scans : .off
        var image = image
        // The height of the preview on the screen, in rows. The next preview or the image replaces it.
        var rowsBefore = 0
        do {
            for try await event in loader.events(for: request) {
                guard let bitmap = event.response?.bitmap ?? event.preview?.bitmap else { continue }
                image.background = background.color(behind: bitmap)
                context.console.write(try image.drawing(bitmap, over: rowsBefore))
                rowsBefore = cells.area(of: bitmap.size, image.graphics).rows
            }
        } catch let error as ImageError {
            throw Failure(error)
        } catch let error as CodecError {
            throw Failure(error)
        } catch {
            throw Failure(code: "failed", "\(error)")
        }
    }

    static func hasFullColor(_ environment: [String: String]) -> Bool {
        let term = environment["TERM"] ?? ""
        return ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.contains("direct")
            || term.contains("kitty")
    }

    private func source(_ name: ByteString, _ loader: ImageLoader) throws(Failure) -> ImageSource {
        if name == "-" { return .data(try SourceReader.local("-")) }
        let address = try Address(name, allowsPaths: true)
        if let path = address.path, path.isFolder {
            throw Failure(code: "fileUnreadable", "it is a folder; name the images in it")
        }
        return address.isURL ? .request(network.request(address.url)) : .file(address.url)
    }
}

extension Option {
    fileprivate static let graphics = Option(
        "protocol", nil, "PROTOCOL", offers: .words(GraphicsProtocol.allCases.map(\.rawValue)), isSetting: true,
        help: "kitty, sixel or blocks. The default is the best that the terminal supports.")
    fileprivate static let background = Option(
        "background", nil, "COLOR", offers: .words(["black", "white"]), isSetting: true,
        help: "The color behind translucent pixels, such as white or #1d1f21. The default is the terminal's, or black.")
    fileprivate static let columns = Option(
        "columns", nil, "N", help: "Use at most this many columns. The default is the terminal's width, or 80.")
    fileprivate static let rows = Option(
        "rows", nil, "N", help: "Use at most this many rows. The default is the terminal's height less one, or 24.")
}
