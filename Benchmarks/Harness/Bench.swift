import Foundation

/// Runs scenarios, and offers them functions that compare and report figures.
struct Bench: Sendable {
    let isQuick: Bool
    let printer: Printer
    /// Called with each figure.
    var onFigure: @Sendable (Figure) -> Void = { _ in }

    /// Runs scenarios, and returns the number of those that threw an error. A figure beyond its bar is not a failure.
    func run(_ scenarios: [Scenario]) async -> Int {
        printer.begin()
        var failures = 0
        for scenario in scenarios {
            do {
                try await scenario.measure(self)
            } catch {
                failures += 1
                printer.note("\(scenario.name): failed: \(error)")
            }
        }
        return failures
    }

    /// Measures both sides in turns, and prints the median of the pairs' ratios.
    ///
    /// First each side runs one unmeasured round. Then the order alternates (ours, baseline, baseline, ours, …), so
    /// that a drift of the machine affects both sides alike.
    ///
    /// - Parameters:
    ///   - pairs: The number of pairs, at least 5.
    ///   - ours, baseline: One round each, which returns its figure in `unit`. Setup and cleanup need not be timed.
    func compare(
        _ name: String, with baselineName: String, unit: String, bar: Bar, pairs: Int,
        ours: () async throws -> Double, baseline: () async throws -> Double
    ) async throws {
        _ = try await ours()
        _ = try await baseline()
        var samples: [(ours: Double, baseline: Double)] = []
        for pair in 0..<max(pairs, 5) {
            if pair.isMultiple(of: 2) {
                let first = try await ours()
                samples.append((first, try await baseline()))
            } else {
                let first = try await baseline()
                samples.append((try await ours(), first))
            }
        }
        report(name, with: baselineName, unit: unit, bar: bar, samples)
    }

    /// Prints the comparison of pairs that have been measured elsewhere.
    func report(
        _ name: String, with baselineName: String, unit: String, bar: Bar,
        _ samples: [(ours: Double, baseline: Double)]
    ) {
        let ratios = samples.map { $0.ours / $0.baseline }.sorted()
        guard let lowest = ratios.first, let highest = ratios.last else { return }
        let figure = Figure(
            name: name, ours: median(samples.map(\.ours)), baseline: median(samples.map(\.baseline)),
            baselineName: baselineName, ratio: median(ratios), spread: lowest...highest, unit: unit, bar: bar)
        printer.figure(figure)
        onFigure(figure)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Returns the time of `body`, in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// Returns the time of `body`, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// Returns the processor time of `body` on this thread, in seconds. Other programs do not affect it.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = time(of: CLOCK_THREAD_CPUTIME_ID)
    try body()
    return time(of: CLOCK_THREAD_CPUTIME_ID) - start
}

/// Returns the processor time of `body` on all threads of this process, in seconds.
func allProcessorSeconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = time(of: CLOCK_PROCESS_CPUTIME_ID)
    try await body()
    return time(of: CLOCK_PROCESS_CPUTIME_ID) - start
}

/// Returns the time of a clock, in seconds.
func time(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Returns the resident memory of this process, in KiB: now, or its peak.
func residentKilobytes(peak: Bool) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(peak ? "VmHWM:" : "VmRSS:") }
    guard let line, let figure = Int(line.filter(\.isNumber)) else { throw BenchError("no memory figure") }
    return figure
}

/// A failed precondition of a benchmark, or a wrong result.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
