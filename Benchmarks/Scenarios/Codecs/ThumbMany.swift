import Foundation

// A whole folder of photographs on all processors, by a process from its start to its end.

extension Scenario {
    static let thumbMany = Scenario(
        name: "thumb-many",
        summary: "2,000 JPEGs of 2 to 12 megapixels, 400 pixels wide, on all processors; --quick: 200"
    ) { bench in
        let batch = try PhotoBatch(count: bench.isQuick ? 200 : 2_000)
        for (program, name, bar) in [
            (PythonThumbnails.vips, "pyvips", 0.9), (PythonThumbnails.pillow, "Pillow", 0.85),
        ] {
            if let program {
                try batch.compare(bench, with: program, bar: .atMost(bar))
            } else {
                bench.printer.note("thumb-many: \(name) is not installed; Scripts/bench installs it")
            }
        }
    }

    /// The time for an image in longer and longer runs. The start of the process is not part of it.
    static let thumbGrowth = Scenario(
        name: "thumb-growth",
        summary: "the same by 100, 1,000 and 10,000 beside 10 in a run; --quick: up to 1,000"
    ) { bench in
        let ten = try PhotoBatch(count: 10), one = try PhotoBatch.dot()
        _ = try ten.resize()
        let start = try (0..<9).map { _ in try one.resize().wall }.sorted()[4]
        bench.printer.note(String(format: "thumb-growth: a run takes %.0f ms to start and end", start * 1e3))
        for count in bench.isQuick ? [100, 1_000] : [100, 1_000, 10_000] {
            let batch = try PhotoBatch(count: count)
            let samples = try (0..<3).map { _ in
                let short = try (0..<10).map { _ in try ten.resize().wall - start }.reduce(0, +) / 100
                return (ours: try (batch.resize().wall - start) / Double(count) * 1e3, baseline: short * 1e3)
            }
            bench.report(
                "thumb-growth-\(count)", with: "10 images in a run", unit: "ms", bar: .atMost(1.1), samples)
        }
    }
}

extension PhotoBatch {
    /// Measures both programs in turns, and prints the ratio of their times beside their processor times.
    fileprivate func compare(_ bench: Bench, with program: PythonThumbnails, bar: Bar) throws {
        _ = (try resize(), try run(program))
        var samples: [(ours: Cost, baseline: Cost)] = []
        for pair in 0..<5 {
            if pair.isMultiple(of: 2) {
                let ours = try resize()
                samples.append((ours, try run(program)))
            } else {
                let baseline = try run(program)
                samples.append((try resize(), baseline))
            }
        }
        func mean(_ costs: [Double]) -> Double { costs.reduce(0, +) / Double(costs.count) }
        let processor = String(
            format: "processor time %.1f s; ours %.1f s", mean(samples.map(\.baseline.processor)),
            mean(samples.map(\.ours.processor)))
        bench.report(
            "thumb-many", with: "\(program.name), \(processor)", unit: "s", bar: bar,
            samples.map { ($0.ours.wall, $0.baseline.wall) })
    }
}
