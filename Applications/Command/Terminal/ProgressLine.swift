/// How far a run is, as one line: a bar, the count, bytes, rate and time left. A value: no clock, no terminal.
struct ProgressLine: Sendable {
    /// Images in all, and how many are done with, failed ones included.
    var total: Int
    var finished: Int
    var failed = 0
    /// Bytes that came over the network.
    var bytes = 0
    /// How much of the images under way is there: 0.5 is half of one, 2.5 two and a half of several.
    var partial = 0.0
    /// Since the start.
    var seconds: Double

    /// As much of it as fits.
    func text(width: Int) -> String {
        let facts = [count, rateText, timeLeft].compactMap { $0 }.joined(separator: "  ")
        let room = width - facts.count - 4
        let line = room >= 10 ? "\(bar(min(room, 40)))  \(facts)" : facts
        return String(line.prefix(max(width - 1, 0)))
    }

    /// 0 to 1.
    var fraction: Double {
        total > 0 ? min((Double(finished) + max(partial, 0)) / Double(total), 1) : 1
    }

    private var count: String {
        let failures = failed > 0 ? " (\(failed) failed)" : ""
        return "\(finished)/\(total)\(failures)  \(Amounts.bytes(bytes))"
    }

    private var rateText: String? {
        guard seconds > 0.1, bytes > 0 else { return nil }
        return "\(Amounts.bytes(Int(Double(bytes) / seconds)))/s"
    }

    /// As long again as the rest takes at the pace so far. Nothing is said before there is a pace.
    private var timeLeft: String? {
        guard fraction > 0, fraction < 1, seconds > 0.5 else { return nil }
        return "\(Amounts.clock(seconds * (1 - fraction) / fraction)) left"
    }

    private func bar(_ cells: Int) -> String {
        let filled = Int((Double(cells) * fraction).rounded(.down))
        return "[" + String(repeating: "=", count: filled) + String(repeating: " ", count: cells - filled) + "]"
    }
}
