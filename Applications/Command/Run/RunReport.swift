import Calotype
import CalotypeBase
import Foundation

/// The report on a run's images: their paths, or JSON objects, and failures on standard error.
struct RunReport: Sendable {
    let console: Console
    let isJSON: Bool
    let isVerbose: Bool
    /// Whether a NUL byte ends each path, and nothing else is printed.
    let endsPathsWithNUL: Bool
    /// Whether the command is `fetch`, which counts the bytes from the network.
    let isOfDownloads: Bool
    /// The number of hidden images and folders that are no inputs.
    var hiddenCount = 0

    init(_ arguments: Arguments, _ context: Context, isOfDownloads: Bool) throws(UsageError) {
        if arguments.has(.json), arguments.has(.print0) {
            throw arguments.error("--json and --print0 exclude each other")
        }
        console = context.console
        isJSON = arguments.has(.json)
        isVerbose = arguments.has(.verbose)
        endsPathsWithNUL = arguments.has(.print0)
        self.isOfDownloads = isOfDownloads
    }

    func add(_ outcome: ImageOutcome) {
        if case .failure(let failure) = outcome.result {
            // An image that Ctrl-C interrupted did not fail.
            if failure.isCancelled { return }
            console.complain("\(outcome.job.label): \(failure)")
        }
        if isJSON { return console.line(JSON.line(ImageRecord(outcome, self))) }
        guard case .success(let end) = outcome.result else { return }
        switch end {
        case .skipped(let path):
            if isVerbose { describe("\(name: path.bytes)  up to date") }
        case .written(let result, let path?, let source):
            let name = OutputLine(name: path.bytes)
            if isVerbose { describe("\(name)  \(facts(result, source, outcome))") }
            if endsPathsWithNUL { return console.line(name, end: 0) }
            if !isVerbose { console.line(name) }
        case .written(let result, nil, let source):
            if isVerbose { console.note("\(outcome.job.label)  \(facts(result, source, outcome).shown)") }
        }
    }

    /// Prints a line of --verbose, which must not stand among the paths of --print0.
    private func describe(_ line: OutputLine) {
        if endsPathsWithNUL { console.note(line.shown) } else { console.line(line) }
    }

    func finish(_ progress: RunProgress, isInterrupted: Bool) {
        if isInterrupted, isOfDownloads || progress.total > 1 {
            console.complain("interrupted after \(progress.succeeded) of \(Amounts.count(progress.total, "image"))")
        } else if console.showsStatus, progress.total > 1 {
            let written = Amounts.count(progress.succeeded - progress.skipped, "image")
            let skipped = progress.skipped > 0 ? ", \(progress.skipped) up to date" : ""
            let failures = progress.failed > 0 ? ", \(progress.failed) failed" : ""
            let hidden = hiddenCount > 0 ? ", \(hiddenCount) hidden left out" : ""
            let bytes = Amounts.bytes(progress.bytes) + (isOfDownloads ? " over the network" : "")
            console.note(
                "\(written) written\(skipped)\(failures)\(hidden), \(bytes) in \(Amounts.time(progress.elapsed))")
        } else if isVerbose, hiddenCount > 0 {
            console.note("\(hiddenCount) hidden left out")
        }
    }

    private func facts(_ result: ImageConverter.Result, _ source: SourceData, _ outcome: ImageOutcome) -> OutputLine {
        var facts: [String] = []
        if let quality = result.image.quality { facts.append("quality \(quality)") }
        if let response = source.response { facts.append("from \(response.origin)") }
        if let decision = source.response?.cacheDecision { facts.append(CacheVerdict(decision).text) }
        let size = "\(result.format.rawValue) \(result.size.width)×\(result.size.height)"
        let cost = "\(Amounts.bytes(result.image.data.count))  \(Amounts.time(outcome.duration))"
        return "\(size)  \(cost)  \(name: outcome.job.input.name)\(facts.map { "  \($0)" }.joined())"
    }
}

private struct ImageRecord: Encodable {
    /// The input of `fetch`. The input of `resize` is `source`.
    var url: String?
    var source: String?
    var ok = false
    /// `true` if the output was up to date.
    var skipped = false
    var path: String?
    /// The bytes of `source` and `path` in Base64, if they are not UTF-8.
    var sourceBytes: Data?
    var pathBytes: Data?
    var format: String?
    /// The result's size in pixels, after rotation to its EXIF orientation.
    var width: Int?
    var height: Int?
    var frames: Int?
    var bytes: Int?
    /// The quality that a search found, and the similarity at that quality in the target's measure.
    var quality: Int?
    /// In JSON `null` if it is infinite, as the psnr of equal images is.
    var measured: JSONNumber?
    /// The origin of a URL's image: "memory", "disk", "revalidated", "stale", "network" or "source".
    var origin: String?
    /// The cache's decision, with --verbose.
    var cache: CacheVerdict?
    var error: Failure?
    let seconds: Double

    init(_ outcome: ImageOutcome, _ report: RunReport) {
        let name = Address.shown(outcome.job.input.name)
        if report.isOfDownloads { url = name.displayed } else { source = name.displayed }
        sourceBytes = name.bytesUnlessText
        seconds = (outcome.duration / .milliseconds(1)).rounded() / 1000
        switch outcome.result {
        case .success(.skipped(let path)):
            ok = true
            skipped = true
            (self.path, pathBytes) = (path.description, path.bytes.bytesUnlessText)
        case .success(.written(let result, let path, let source)):
            ok = true
            (self.path, pathBytes) = (path?.description, path?.bytes.bytesUnlessText)
            format = result.format.rawValue
            width = result.size.width
            height = result.size.height
            frames = result.frames
            bytes = result.image.data.count
            quality = result.image.quality
            measured = result.image.measured.map { JSONNumber(value: $0) }
            origin = source.response?.origin.rawValue
            cache = report.isVerbose ? source.response?.cacheDecision.map { CacheVerdict($0) } : nil
        case .failure(let failure): error = failure
        }
    }
}
