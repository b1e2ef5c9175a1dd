import Calotype
import CalotypeCodecs
import Foundation

/// A run's report on its images: paths for people, objects for programs, failures on standard error.
struct FetchReport: Sendable {
    let console: Console
    let isJSON: Bool
    let isVerbose: Bool

    func add(_ outcome: FetchOutcome) {
        if case .failure(let failure) = outcome.result {
            // An image that Ctrl-C interrupted did not fail.
            if failure.isCancelled { return }
            console.complain("\(outcome.job.label): \(failure)")
        }
        if isJSON { return console.line(JSON.line(FetchRecord(outcome, isVerbose: isVerbose))) }
        guard case .success(let (file, path)) = outcome.result else { return }
        let facts = isVerbose ? facts(file, outcome) : ""
        if let path {
            console.line(Console.printable(path) + facts)
        } else if isVerbose {
            console.note(outcome.job.label + facts)
        }
    }

    /// Prints the closing line for a user at a terminal.
    func finish(_ progress: RunProgress, isInterrupted: Bool) {
        if isInterrupted {
            console.complain("interrupted; \(progress.succeeded) of \(Amounts.count(progress.total, "image")) there")
        } else if console.showsStatus, progress.total > 1 {
            let failures = progress.failed > 0 ? ", \(progress.failed) failed" : ""
            let bytes = Amounts.bytes(progress.bytes)
            console.note(
                "\(Amounts.count(progress.succeeded, "image"))\(failures), \(bytes) over the network in "
                    + Amounts.time(progress.elapsed))
        }
    }

    private func facts(_ file: ImageFile, _ outcome: FetchOutcome) -> String {
        var facts = [
            "\(file.format.rawValue) \(file.size.width)×\(file.size.height)", Amounts.bytes(file.data.count),
            "from \(file.origin)", Amounts.time(outcome.duration), outcome.job.label,
        ]
        if let quality = file.quality { facts.append("quality \(quality)") }
        if let decision = file.decision { facts.append(CacheVerdict(decision).text) }
        return "  " + Console.printable(facts.joined(separator: "  "))
    }
}

/// The object that `--json` prints for each URL.
struct FetchRecord: Encodable {
    let url: String
    let ok: Bool
    var path: String?
    var format: String?
    /// Pixels, upright.
    var width: Int?
    var height: Int?
    /// The size of the file.
    var bytes: Int?
    /// "memory", "disk", "network" or "source".
    var origin: String?
    /// The cache's decision, with --verbose.
    var cache: CacheVerdict?
    var error: Failure?
    let seconds: Double

    init(_ outcome: FetchOutcome, isVerbose: Bool) {
        url = outcome.job.text
        seconds = (Amounts.seconds(outcome.duration) * 1000).rounded() / 1000
        switch outcome.result {
        case .success(let (file, path)):
            ok = true
            self.path = path
            format = file.format.rawValue
            width = file.size.width
            height = file.size.height
            bytes = file.data.count
            origin = file.origin.rawValue
            cache = isVerbose ? file.decision.map { CacheVerdict($0) } : nil
        case .failure(let failure):
            ok = false
            error = failure
        }
    }
}
