import Calotype
import CalotypeCodecs
import Foundation

/// A run's report on its images: paths for people, objects for programs, failures on standard error.
struct ResizeReport: Sendable {
    let console: Console
    let isJSON: Bool
    let isVerbose: Bool
    /// Whether the path of each file is printed. The user knows it already if the command line names one file.
    let printsPaths: Bool

    func add(_ outcome: ResizeOutcome) {
        if case .failure(let failure) = outcome.result {
            // An image that Ctrl-C interrupted did not fail.
            if failure.isCancelled { return }
            console.complain("\(outcome.job.label): \(failure)")
        }
        if isJSON { return console.line(JSON.line(ResizeRecord(outcome, isVerbose: isVerbose))) }
        guard case .success(let end) = outcome.result else { return }
        switch end {
        case .skipped(let path):
            if isVerbose { console.line("\(Console.printable(path))  up to date") }
        case .written(let result, let path?, let origin):
            if isVerbose {
                console.line(Console.printable("\(path)  \(facts(result, origin, outcome))"))
            } else if printsPaths {
                console.line(Console.printable(path))
            }
        case .written(let result, nil, let origin):
            if isVerbose { console.note("\(outcome.job.label)  \(facts(result, origin, outcome))") }
        }
    }

    /// Prints the closing line for a user at a terminal.
    func finish(_ progress: RunProgress, isInterrupted: Bool) {
        guard progress.total > 1 else { return }
        if isInterrupted {
            console.complain("interrupted; \(progress.succeeded) of \(Amounts.count(progress.total, "image")) done")
        } else if console.showsStatus {
            let skipped = progress.skipped > 0 ? ", \(progress.skipped) up to date" : ""
            let failures = progress.failed > 0 ? ", \(progress.failed) failed" : ""
            console.note(
                "\(Amounts.count(progress.succeeded - progress.skipped, "image")) written\(skipped)\(failures), "
                    + "\(Amounts.bytes(progress.bytes)) in \(Amounts.time(progress.elapsed))")
        }
    }

    private func facts(_ result: ImageDeveloper.Result, _ origin: ImageOrigin?, _ outcome: ResizeOutcome) -> String {
        var facts = [
            "\(result.format.imageFormat.rawValue) \(result.size.width)×\(result.size.height)",
            Amounts.bytes(result.image.data.count), Amounts.time(outcome.duration), outcome.job.label,
        ]
        if let quality = result.image.quality { facts.append("quality \(quality)") }
        if let origin { facts.append("from \(origin.layer)") }
        if let decision = origin?.decision { facts.append(CacheVerdict(decision).text) }
        return facts.joined(separator: "  ")
    }
}

/// The object that `--json` prints for each input.
struct ResizeRecord: Encodable {
    let source: String
    let ok: Bool
    /// Whether the output was up to date.
    var skipped = false
    var path: String?
    var format: String?
    /// Pixels.
    var width: Int?
    var height: Int?
    var frames: Int?
    /// The size of the file.
    var bytes: Int?
    /// The quality that a search has found, and its similarity in the target's measure.
    var quality: Int?
    var measured: Double?
    var cache: CacheVerdict?
    var error: Failure?
    let seconds: Double

    init(_ outcome: ResizeOutcome, isVerbose: Bool) {
        source = outcome.job.input.name
        seconds = (Amounts.seconds(outcome.duration) * 1000).rounded() / 1000
        switch outcome.result {
        case .success(.skipped(let path)):
            ok = true
            skipped = true
            self.path = path
        case .success(.written(let result, let path, let origin)):
            ok = true
            self.path = path
            format = result.format.imageFormat.rawValue
            width = result.size.width
            height = result.size.height
            frames = result.frames
            bytes = result.image.data.count
            quality = result.image.quality
            // Equal images have an infinite ratio, which JSON cannot represent.
            measured = result.image.measured.flatMap { $0.isFinite ? $0 : nil }
            cache = isVerbose ? origin?.decision.map { CacheVerdict($0) } : nil
        case .failure(let failure):
            ok = false
            error = failure
        }
    }
}
