/// The progress of a run in one line: a bar, the count, the bytes, the rate and the remaining time.
struct ProgressLine: Sendable {
    var total: Int
    /// The number of finished images, including failed images.
    var finished: Int
    var failed = 0
    /// The bytes received over the network by `fetch`, or written by `resize`.
    var bytes = 0
    /// The progress of the images in flight, as a number of images: two half-loaded images count as 1.
    var partial = 0.0
    /// The time since the start, in seconds.
    var seconds: Double
    /// The time in seconds for which all images in flight wait, because their servers ask for it; otherwise `nil`.
    var wait: Double?

    func text(width: Int) -> String {
        let pace = waitText.map { [$0] } ?? [rateText, timeLeft]
        let facts = ([count] + pace).compactMap { $0 }.joined(separator: "  ")
        // The brackets and two spaces; the last column stays free, so that no terminal wraps the line.
        let room = width - 1 - facts.count - 4
        let line = room >= 10 ? "\(bar(min(room, 40)))  \(facts)" : facts
        return String(line.prefix(max(width - 1, 0)))
    }

    /// The progress of the run, from 0 to 1.
    var fraction: Double {
        total > 0 ? min((Double(finished) + max(partial, 0)) / Double(total), 1) : 1
    }

    private var count: String {
        let failures = failed > 0 ? " (\(failed) failed)" : ""
        return "\(finished)/\(total)\(failures)  \(Amounts.bytes(bytes))"
    }

    private var waitText: String? {
        wait.map { "waiting \(Int(min($0, 359_999).rounded(.up))) s, as the server asks" }
    }

    private var rateText: String? {
        guard seconds > 0.1, bytes > 0 else { return nil }
        return "\(Amounts.bytes(Int(Double(bytes) / seconds)))/s"
    }

    /// The remaining time at the rate so far; `nil` in the first half second, before any progress, and at the end.
    private var timeLeft: String? {
        guard fraction > 0, fraction < 1, seconds > 0.5 else { return nil }
        return "\(Amounts.clock(seconds * (1 - fraction) / fraction)) left"
    }

    private func bar(_ cells: Int) -> String {
        let filled = Int((Double(cells) * fraction).rounded(.down))
        return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: cells - filled) + "]"
    }
}
