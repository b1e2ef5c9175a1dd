import CalotypeBase
import Foundation

struct FetchCommand: Command {
    static let syntax = CommandSyntax(
        name: "fetch", summary: "Load images from URLs and write them to files.",
        operands: "URL...", operandCount: 0...Int.max,
        options: [.from, .null, .output] + Recipe.options + [
            .parallel, .maxDecode, .overwrite, .json, .print0, .verbose,
        ] + NetworkOptions.options,
        notes: [
            """
            Without a size, a step, a format, a quality or less metadata, the bytes of an image are written unchanged. \
            Otherwise the format is that of --format, or of the URL's extension, or JPEG; images with transparency become PNG instead of JPEG.
            """,
            """
            The name of a file is the last part of its URL's path, without characters that are special in shells and \
            file systems, and with the extension of its actual format. The second photo.jpg of a run becomes \
            photo-2.jpg. Existing files stay unless --overwrite is given. A file is complete or absent.
            """,
            """
            --output names a directory, which is created if it does not exist. For one URL, it may also name a file, \
            whose extension determines the format.
            """,
            """
            The path of each file is printed once the file is complete; --verbose adds its format, size and origin. \
            With --print0, only the paths are printed, and the lines of --verbose go to standard error. On a terminal, \
            control characters in a name are escaped. Each failure is one line on standard error.
            """,
            StepForm.note,
        ],
        examples: [
            ("fetch https://example.com/photo.jpg", "the original, to the current directory"),
            ("fetch -o cat.jpg https://example.com/photo?id=7", "to this file, as JPEG"),
            (
                "fetch --size 400x300 --mode fill --format webp --output thumbs --from urls.txt",
                "thumbnails of a list of images"
            ),
            ("fetch --size 200 --circle --output - https://example.com/me.jpg > me.png", "one image to a pipe"),
            (
                "fetch -H 'Authorization: Bearer 1234' --json https://example.com/private.jpg",
                "with a header field, and a report as JSON"
            ),
            ("fetch --policy cache-only https://example.com/photo.jpg", "only if the cache has it"),
        ])

    private let run: ImageRun

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let addresses = try InputList.read(arguments, noun: "a URL")
        let recipe = try Recipe(arguments)
        let network = try NetworkOptions(arguments, context)
        let parallel = try arguments.integer(.parallel, in: 1...256) ?? 6
        let names = FileNames()
        let report = try RunReport(arguments, context, isOfDownloads: true)
        let jobs = ImageJob.downloads(addresses, format: recipe.format, names: names)
        let destination = Destination(arguments.path(.output) ?? ".")
        switch destination {
        case .directory, .standardOutput: try recipe.check(jobs.map(\.likelyFormat), arguments)
        case .file: break
        }
        try destination.prepare(arguments, count: addresses.count, recipe)
        run = ImageRun(
            jobs: jobs, destination: destination, naming: .downloads(names),
            recipe: recipe, network: network, parallel: parallel, overwrites: arguments.has(.overwrite),
            report: report)
    }

    func run(_ context: Context) async -> ExitStatus { await run.perform(context) }
}

extension Option {
    static let output = Option(
        "output", "o", "PATH", offers: .files, takesBytes: true,
        help: "A directory for the files; for one image, also a file, or - for standard output.")
    static let parallel = Option(
        "parallel", "j", "N", isSetting: true, help: "Run this many downloads at a time. The default is 6.")
}
