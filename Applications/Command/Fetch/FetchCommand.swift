import Foundation

/// `calotype fetch`: images from URLs to files.
struct FetchCommand: Command {
    static let syntax = CommandSyntax(
        name: "fetch", summary: "Load images and write them to files.",
        operands: "URL...", operandCount: 0...Int.max,
        options: [.from, .null, .output] + Recipe.options + [.parallel, .overwrite, .json, .verbose]
            + NetworkOptions.options,
        notes: [
            """
            Without a size, a step or a format, the bytes are written as they came, once it is certain that they are \
            an image. Otherwise the format is that of --format, else the one that the URL's name says, else JPEG; PNG \
            where JPEG would lose transparency.
            """,
            """
            A file is named after the last part of its URL's path, without anything that a file system or a shell \
            could trip over, and with the extension of its true format. The second photo.jpg of a run becomes \
            photo-2.jpg. A file that is there already is left alone unless --overwrite is given. Files appear \
            complete or not at all.
            """,
            """
            --output names a directory, which is made; or, for one URL, a file with the extension of an image, whose \
            format it then gets.
            """,
            """
            Each file's path is printed when it is there; --verbose adds what it is and where it came from. Failures \
            are printed to standard error, one line each.
            """,
            StepForm.note,
        ],
        examples: [
            ("fetch https://example.com/photo.jpg", "the original, into this directory"),
            ("fetch -o cat.jpg https://example.com/photo?id=7", "into this file, as JPEG"),
            (
                "fetch --size 400x300 --mode fill --format webp --output thumbs --from urls.txt",
                "thumbnails of all the images in a list"
            ),
            ("fetch --size 200 --circle --output - https://example.com/me.jpg > me.png", "one image to a pipe"),
            (
                "fetch -H 'Authorization: Bearer 1234' --json https://example.com/private.jpg",
                "with a header field, and a report for programs"
            ),
            ("fetch --policy cache-only https://example.com/photo.jpg", "only if it was loaded before"),
        ])

    private let run: ImageRun

    init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
        let addresses = try InputList.read(arguments)
        guard !addresses.isEmpty else {
            throw arguments.error(arguments.has(.from) ? "the list has no URLs" : "a URL is missing, or --from FILE")
        }
        let recipe = try Recipe(arguments)
        let network = try NetworkOptions(arguments, context)
        let parallel = try arguments.integer(.parallel, in: 1...256) ?? 6
        let names = FileNames()
        run = ImageRun(
            jobs: ImageJob.downloads(addresses, format: recipe.format, names: names),
            // Last, because it creates the directory: an invalid command line must change nothing.
            destination: try Destination(arguments, count: addresses.count, recipe), naming: .downloads(names),
            recipe: recipe, network: network, parallel: parallel, overwrites: arguments.has(.overwrite),
            report: RunReport(arguments, context, isOfDownloads: true, printsPaths: true))
    }

    func run(_ context: Context) async -> ExitStatus { await run.perform(context) }
}

extension Option {
    static let output = Option(
        "output", "o", "PATH", offers: .files,
        help: "A directory for the files; for one image also a file, or - for standard output.")
    static let parallel = Option(
        "parallel", "j", "N", isSetting: true, help: "Downloads at the same time. The default is 6.")
}
