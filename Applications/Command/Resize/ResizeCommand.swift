import Calotype
import CalotypeCodecs
import Foundation

/// `calotype resize`: scales and crops images, or converts their format.
struct ResizeCommand: Command {
    static let syntax = CommandSyntax(
        name: "resize", summary: "Resize images, cut them, or write them in another format.",
        operands: "IN... [OUT]", operandCount: 0...Int.max, offer: .files,
        options: [.resized, .name, .from, .null, .jobs] + Recipe.options + [
            .firstFrame, .overwrite, .ifChanged, .isolate, .json, .verbose,
        ] + NetworkOptions.options,
        notes: [
            """
            IN is a file, a folder, a URL, or - for standard input; OUT a file, or - for standard output. With \
            --output, every operand is an input. The images of a folder and of those below it are taken by their \
            names; folders keep their places below the output.
            """,
            """
            The format is that of --format, else the one that the output's extension stands for, else that of IN, or \
            PNG for what cannot be written.
            """,
            """
            --name gives the files their names: {name} is the input's without its extension, {width} and {height} are \
            the result's pixels, {number} is the place in the run, and {ext} the extension of the format. The default \
            is {name}.{ext}. Two inputs that would be written to one file are an error before anything is written.
            """,
            """
            One input that fails does not stop the others; the status is 1 then. Each file's path is printed when it \
            is there, complete. --if-changed remembers what the outputs were made of in the file \
            \(OutputManifest.fileName) beside them.
            """,
            """
            Animations keep their motion as WebP, also on standard output without --format. In other formats, and with \
            --first-frame, the first frame is written.
            """,
            StepForm.note,
        ],
        examples: [
            ("resize photo.jpg thumb.webp --size 400", "400 pixels wide, as WebP"),
            (
                "resize *.jpg --output thumbs --size 400 --name '{name}-{width}.{ext}'",
                "thumbnails of many images, into a folder"
            ),
            ("resize photos --output web --size 1600 --format webp --if-changed", "a folder, again only what is new"),
            ("resize photo.jpg avatar.png --size 128x128 --mode fill --circle", "a round avatar"),
            ("resize photo.jpg part.jpg --crop 600x400 --gravity attention", "the part that draws the eye"),
            ("resize photo.jpg small.webp --quality-target ssim=0.98", "as small as looks the same"),
            ("resize photo.jpg soft.jpg --step blur=4 --step saturation=0.5", "blurred, then with weaker colors"),
            ("resize dance.gif small.webp --size 200", "an animated WebP"),
            ("resize - - --size x600 --format jpeg < in.png > out.jpg", "in a pipe"),
        ])

    private let run: ImageRun

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let recipe = try Recipe(arguments)
        let network = try NetworkOptions(arguments, context)
        let template = try NameTemplate(arguments)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let parallel = try arguments.integer(.jobs, in: 1...256) ?? cores
        let (inputs, output) = try ResizeCommand.places(arguments)
        let jobs = ImageJob.jobs(inputs)
        let isFolder = output.map { ResizeCommand.isFolder($0, arguments) } ?? false
        if isFolder {
            try ImageJob.checkNames(of: jobs, template, recipe.format ?? template.format, arguments)
        } else if arguments.has(.name) {
            throw arguments.error("--name requires a folder: --output DIR")
        } else if let output, output != "-", recipe.format == nil, FileFormat(fileName: output) == nil,
            !Destination.isDirectory(output)
        {
            // A directory that cannot be used is a different problem from a name without a format.
            throw arguments.error(FileFormat.problem(withFileName: output))
        }
        // Last, because it creates the directory: an invalid command line must change nothing.
        let destination: Destination =
            if arguments.has(.resized) {
                try Destination(arguments, count: jobs.count, recipe)
            } else {
                try Destination(fileOrPipe: output ?? "", arguments)
            }
        if case .standardOutput = destination, arguments.has(.ifChanged) {
            throw arguments.error("--if-changed requires files; standard output has no date")
        }
        run = ImageRun(
            jobs: jobs, destination: destination, naming: .template(template), recipe: recipe,
            keepsMotion: !arguments.has(.firstFrame), network: network, parallel: parallel,
            overwrites: arguments.has(.overwrite) || arguments.has(.ifChanged),
            skipsUnchanged: arguments.has(.ifChanged),
            report: RunReport(arguments, context, isOfDownloads: false, printsPaths: arguments.has(.resized)))
    }

    func run(_ context: Context) async -> ExitStatus { await run.perform(context) }

    /// Splits the operands: `IN... --output OUT`, or `IN OUT`.
    private static func places(
        _ arguments: Arguments
    ) throws(UsageError) -> (inputs: [ImageInput], output: String?) {
        if let output = arguments[.resized] {
            let inputs = try ImageInputs.read(arguments, without: output)
            guard !inputs.isEmpty else {
                throw arguments.error(
                    arguments.has(.from) ? "the list has no images" : "an input is missing, or --from FILE")
            }
            return (inputs, output)
        }
        if arguments.has(.from) { throw arguments.error("--from requires --output DIR") }
        let operands = arguments.operands
        guard operands.count >= 2 else {
            throw arguments.error(
                operands.isEmpty
                    ? "IN and OUT are missing" : "OUT is missing: name a file, or a folder with --output DIR")
        }
        guard operands.count == 2 else {
            throw arguments.error("\(operands.count) operands: name a folder for the results with --output DIR")
        }
        if Destination.isDirectory(operands[0]) {
            throw arguments.error("\(operands[0]): for a folder, name one for the results with --output DIR")
        }
        return ([ImageInput(name: operands[0])], operands[1])
    }

    private static func isFolder(_ output: String, _ arguments: Arguments) -> Bool {
        guard arguments.has(.resized), output != "-" else { return false }
        return output.hasSuffix("/") || Destination.isDirectory(output) || !FileName.isImage(output)
    }
}

extension Destination {
    /// Makes the destination of `resize IN OUT`.
    fileprivate init(fileOrPipe output: String, _ arguments: Arguments) throws(UsageError) {
        if output == "-" { try Destination.checkStandardOutput(arguments, count: 1) }
        self = output == "-" ? .standardOutput : .file(output)
    }
}

extension Option {
    fileprivate static let resized = Option(
        "output", "o", "PATH", offers: .files,
        help: "A folder for the results, which is made; for one image also a file, or - for standard output.")
    static let name = Option(
        "name", "n", "TEMPLATE", help: "How the results are named, such as '{name}-{width}.{ext}'.")
    static let jobs = Option(
        "parallel", "j", "N", isSetting: true, help: "Images at the same time. The default is the number of cores.")
    fileprivate static let firstFrame = Option("first-frame", help: "Write the first frame of an animation alone.")
    fileprivate static let ifChanged = Option(
        "if-changed", help: "Skip outputs that are newer than their inputs and made by the same recipe; replace others."
    )
}
