import Calotype
import CalotypeBase

struct ResizeCommand: Command {
    static let syntax = CommandSyntax(
        name: "resize", summary: "Resize, crop and convert images.",
        operands: "IN... [OUT]", operandCount: 0...Int.max, offer: .files,
        options: [.resized, .template, .from, .null, .jobs] + Recipe.options + [
            .firstFrame, .overwrite, .ifChanged, .maxDecode, .isolate, .json, .print0, .verbose,
        ] + NetworkOptions.options,
        notes: [
            """
            IN is a file, a folder, a URL, or - for standard input. OUT is a file, a folder, or - for standard output; a \
            name that ends with / is a folder. With --output, every operand is an input. A folder stands for the images \
            in it and its subfolders, found by extension; the output has the same subfolders.
            """,
            """
            The format is that of --format, or of the output's extension, or of the input. Formats that cannot be \
            written become PNG.
            """,
            """
            In --name, {name} is the input's name without its extension, {source-ext} is that extension, {width} and \
            {height} are the size of the result in pixels, {number} is the input's position in the run, and {ext} is \
            the extension of the format. The default is {name}.{ext}. Inputs with the same output file fail, and \
            nothing is written for them; the others are written.
            """,
            """
            The path of each file is printed once the file is complete. With --print0, only the paths are printed, and \
            the lines of --verbose go to standard error. On a terminal, control characters in a name are escaped. A \
            failed input does not stop the others; the status is then 1. --if-changed records the input of each output \
            in the file \(OutputManifest.fileName) beside the outputs.
            """,
            """
            Results keep the author and the copyright of EXIF. With --keep-metadata all they keep the date, the camera \
            and the place, too, corrected for the result, but no thumbnail, no maker note and no private tags. XMP and \
            IPTC are never kept.
            """,
            """
            Animations stay animated as WebP, which is also their format on standard output without --format. Other \
            formats, and --first-frame, keep only the first frame.
            """,
            StepForm.note,
        ],
        examples: [
            ("resize photo.jpg thumb.webp --size 400", "400 pixels wide, as WebP"),
            ("resize *.jpg --output thumbs --size 400 --name '{name}-{width}.{ext}'", "many thumbnails in a folder"),
            (
                "resize photos --output web --size 1600 --format webp --if-changed",
                "a folder; later runs skip unchanged images"
            ),
            ("resize photo.jpg avatar.png --size 128x128 --mode fill --circle", "a round avatar"),
            ("resize photo.jpg part.jpg --crop 600x400 --gravity attention", "the part that draws the eye"),
            ("resize photo.jpg small.webp --quality-target ssim=0.98", "the smallest file that looks the same"),
            ("resize photo.jpg soft.jpg --step blur=4 --step saturation=0.5", "a blur, then paler colors"),
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
        var report = try RunReport(arguments, context, isOfDownloads: false)
        let (inputs, destination) = try ResizeCommand.places(arguments)
        report.hiddenCount = inputs.hiddenCount
        var jobs = ImageJob.jobs(inputs.images)
        switch destination {
        case .directory(let folder):
            try recipe.check(jobs.map { template.format ?? $0.likelyFormat }, arguments)
            jobs = try ImageJob.withCheckedNames(
                jobs, in: folder, template, format: recipe.format ?? template.format, arguments)
        case _ where arguments.has(.template): throw arguments.error("--name requires a folder: --output DIR")
        case .file(let file) where recipe.format == nil && FileFormat(fileName: file.bytes) == nil:
            throw arguments.error(FileFormat.problem(withFileName: file.bytes))
        case .standardOutput: try recipe.check(jobs.map(\.likelyFormat), arguments)
        case .file: break
        }
        if case .file(let file) = destination, !arguments.has(.resized) {
            try recipe.check([FileFormat(fileName: file.bytes)], arguments)
        } else {
            try destination.prepare(arguments, count: jobs.count, recipe)
        }
        if case .standardOutput = destination, arguments.has(.ifChanged) {
            throw arguments.error("--if-changed requires output files, not standard output")
        }
        run = ImageRun(
            jobs: jobs, destination: destination, naming: .template(template), recipe: recipe,
            keepsMotion: !arguments.has(.firstFrame), network: network, parallel: parallel,
            overwrites: arguments.has(.overwrite) || arguments.has(.ifChanged),
            skipsUnchanged: arguments.has(.ifChanged), report: report)
    }

    func run(_ context: Context) async -> ExitStatus { await run.perform(context) }

    /// Returns the inputs and the destination, from `IN... --output OUT`, or from `IN OUT` for a single file.
    private static func places(_ arguments: Arguments) throws(UsageError) -> (ImageInputs, Destination) {
        if let output = arguments.path(.resized) {
            return (try ImageInputs(arguments, without: output), Destination(output))
        }
        if arguments.has(.from) { throw arguments.error("--from requires --output DIR") }
        let operands = arguments.operands
        guard operands.count >= 2 else {
            throw arguments.error(
                operands.isEmpty
                    ? "IN and OUT are missing" : "OUT is missing; name a file, or a folder with --output DIR")
        }
        guard operands.count == 2 else {
            throw arguments.error("\(operands.count) operands require a folder for the results: --output DIR")
        }
        if LocalPath(operands[0]).isFolder {
            throw arguments.error(
                "\(operands[0].displayed) is a folder; name a folder for the results with --output DIR")
        }
        return (ImageInputs(ImageInput(name: operands[0])), Destination(operand: LocalPath(operands[1])))
    }
}

extension Option {
    fileprivate static let resized = Option(
        "output", "o", "PATH", offers: .files, takesBytes: true,
        help: "A folder for the results; for one image, also a file, or - for standard output.")
    static let template = Option(
        "name", "n", "TEMPLATE", help: "The names of the results, such as '{name}-{width}.{ext}'.")
    static let jobs = Option(
        "parallel", "j", "N", isSetting: true,
        help: "Process this many images at a time. The default is the number of cores.")
    fileprivate static let firstFrame = Option("first-frame", help: "Write only the first frame of an animation.")
    fileprivate static let ifChanged = Option(
        "if-changed",
        help: "Skip outputs that are newer than their inputs and have the same recipe; replace the others."
    )
}
