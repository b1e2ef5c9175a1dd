import Synchronization

/// Guards figures that a change may worsen unseen: `Scripts/check` fails if one of them does.
///
/// Its rows compare processor times in the same run, so that a busy machine changes them little, with what Debian has. A limit
/// is the ratio of an idle machine with room for noise, so a row that stays within may still be worse than its bar.
struct FigureGate {
    private struct Row {
        let name: String
        /// The first words of the baseline's name.
        let baseline: String
        /// The largest ratio.
        let limit: Double
    }

    private static let guarded: [(scenario: Scenario, rows: [Row])] = [
        (
            .thumbJPEG,
            [
                Row(name: "thumb-jpeg-4000", baseline: "bare", limit: 1.12),
                Row(name: "thumb-jpeg-1600", baseline: "bare", limit: 1.08),
                Row(name: "thumb-jpeg-600", baseline: "bare", limit: 1.1),
            ]
        ),
        (.thumbPNG, [Row(name: "thumb-png", baseline: "vips", limit: 0.45)]),
        (.serveColdGate, [Row(name: "serve-cold-jpeg", baseline: "image_filter", limit: 0.16)]),
        (.serveHitProcessor, [Row(name: "serve-hit-processor", baseline: "nginx", limit: 1.35)]),
    ]

    private let printer: Printer

    init(_ printer: Printer) { self.printer = printer }

    /// Measures all rows, those beyond their limits twice, and returns whether each was within its limit once.
    func holds() async -> Bool {
        var holds = true
        for (scenario, rows) in Self.guarded {
            var beyond = await rowsBeyond(rows, in: scenario)
            if !beyond.isEmpty {
                printer.note("\(scenario.name): once more")
                beyond = await rowsBeyond(beyond, in: scenario)
            }
            holds = holds && beyond.isEmpty
        }
        return holds
    }

    private func rowsBeyond(_ rows: [Row], in scenario: Scenario) async -> [Row] {
        let figures = Mutex<[Figure]>([])
        let bench = Bench(isQuick: true, printer: .silent) { figure in figures.withLock { $0.append(figure) } }
        let failures = await bench.run([scenario])
        return rows.filter { row in
            let figure = figures.withLock {
                $0.first { $0.name == row.name && $0.baselineName.hasPrefix(row.baseline) }
            }
            guard failures == 0, let figure else {
                printer.note("\(row.name) beside \(row.baseline): not measured")
                return true
            }
            printer.figure(figure.judged(by: .atMost(row.limit)))
            return figure.ratio > row.limit
        }
    }
}

extension Figure {
    fileprivate func judged(by bar: Bar) -> Figure {
        Figure(
            name: name, ours: ours, baseline: baseline, baselineName: baselineName, ratio: ratio, spread: spread,
            unit: unit, bar: bar)
    }
}
