import Calotype
import CalotypeCodecs
import CalotypeConcurrency
import Foundation

/// `calotype resize`: one image, made smaller.
struct ResizeCommand: Command {
    static let syntax = CommandSyntax(
        name: "resize", summary: "Make one image smaller, or cut it, or write it in another format.",
        operands: "IN OUT", operandCount: 2...2,
        options: Recipe.options + [.firstFrame, .overwrite] + NetworkOptions.options,
        notes: [
            """
            IN is a file, a URL, or - for standard input; OUT a file, or - for standard output. The format is that of \
            --format, else the one that OUT's extension stands for; on standard output, else that of IN.
            """,
            """
            Animations keep their motion as WebP, also on standard output without --format. In other formats, and with \
            --first-frame, the first frame is written.
            """,
            StepForm.note,
        ],
        examples: [
            ("resize photo.jpg thumb.webp --size 400", "400 pixels wide, as WebP"),
            ("resize photo.jpg avatar.png --size 128x128 --mode fill --circle", "a round avatar"),
            ("resize photo.jpg soft.jpg --step blur=4 --step saturation=0.5", "blurred, then with weaker colors"),
            ("resize dance.gif small.webp --size 200", "an animated WebP"),
            ("resize - - --size x600 --format jpeg < in.png > out.jpg", "in a pipe"),
        ])

    private let input: String
    private let output: String
    private let overwrites: Bool
    private let recipe: Recipe
    private let keepsMotion: Bool
    private let network: NetworkOptions

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        input = arguments.operands[0]
        output = arguments.operands[1]
        overwrites = arguments.has(.overwrite)
        recipe = try Recipe(arguments)
        keepsMotion = !arguments.has(.firstFrame)
        network = try NetworkOptions(arguments, context)
        if output == "-" {
            try Destination.checkPipe(arguments)
        } else if recipe.format == nil, FileFormat(fileName: output) == nil, !Destination.isDirectory(output) {
            // What is wrong with a directory is not its name.
            throw arguments.error(FileFormat.problem(withFileName: output))
        }
    }

    func run(_ context: Context) async -> ExitStatus {
        let loader = network.makeLoader(parallel: 1, meter: Meter(), context, isVerbose: false)
        var status = ExitStatus.success
        do throws(Failure) {
            try await resize(loader, context)
        } catch {
            status = .failure
            if !error.isCancelled { context.console.complain("\(Address.label(of: input)): \(error)") }
        }
        await loader.diskStore?.closeForGood()
        return status
    }

    private func resize(_ loader: ImageLoader, _ context: Context) async throws(Failure) {
        let file = OutputFile(path: output, overwrites: overwrites, temporaryFiles: context.temporaryFiles)
        if output != "-" {
            do throws(FileError) { try file.checkIsFree() } catch { throw Failure(error) }
        }
        let data = try await SourceReader(loader: loader, network: network).data(input)
        let result: Data
        do throws(CodecError) {
            result = try await BlockingPool(threads: 1).run { () throws(CodecError) in
                try made(from: data, loader.options)
            }
        } catch {
            throw Failure(error)
        }
        if Task.isCancelled { throw .cancelled }
        if output == "-" { return context.console.write(result) }
        do throws(FileError) { try file.write(result) } catch { throw Failure(error) }
    }

    private func made(from data: Data, _ options: ImageLoaderOptions) throws(CodecError) -> Data {
        if keepsMotion, let animation = try animation(in: data, options) {
            return try animation.encoded(as: recipe.encoding(.webp))
        }
        let plan = try options.decoders.plan(for: data, target: recipe.size, limits: options.limits)
        var bitmap = try plan.decode()
        if let size = recipe.size { bitmap = try bitmap.applying(Resize(size)) }
        bitmap = try bitmap.applying(recipe.steps)
        let format =
            recipe.format ?? FileFormat(fileName: output)
            ?? FileFormat(plan.header.format, hasAlpha: bitmap.hasAlpha)
        return try bitmap.encoded(as: recipe.encoding(format))
    }

    /// Nil for a still image, and where the format to be written keeps one frame.
    private func animation(in data: Data, _ options: ImageLoaderOptions) throws(CodecError) -> AnimatedImage? {
        guard (recipe.format ?? FileFormat(fileName: output) ?? .webp) == .webp else { return nil }
        let steps = (recipe.size.map { [Resize($0)] } ?? []) + recipe.steps
        return try options.decoders.animation(for: data, target: recipe.size, steps: steps, limits: options.limits)
    }
}

extension Option {
    fileprivate static let firstFrame = Option("first-frame", help: "Write the first frame of an animation alone.")
}
