import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation

/// The cost of decoding in separate processes, compared with decoding in this process. The first three scenarios
/// measure the processor time of both processes, the others wall time or memory.
extension Scenario {
    static let isolation: [Scenario] = [
        compared("isolate-web", "a JPEG of 1600 × 1200 to 400", Photographs.medium, ResizeTarget(width: 400), 1.10),
        compared("isolate-large", "a JPEG of 12 megapixels to 400", Photographs.large, ResizeTarget(width: 400), 1.05),
        compared("isolate-full", "a JPEG of 12 megapixels at full size", Photographs.large, nil, 1.20),
        isolateBusy, isolateOnce, isolateStart, isolateIdle,
    ]

    private static func compared(
        _ name: String, _ summary: String, _ data: Data, _ target: ResizeTarget?, _ limit: Double
    ) -> Scenario {
        Scenario(name: name, summary: summary) { bench in
            let apart = try Apart(limit: 1)
            let rounds = target == nil ? 4 : 20
            try await bench.compare(
                name, with: "in the process", unit: "ms", bar: .atMost(limit), pairs: bench.isQuick ? 9 : 21
            ) {
                try apart.processorSeconds {
                    for _ in 0..<rounds { _ = try apart.decoders.decode(data, target: target) }
                }
                    * 1e3 / Double(rounds)
            } baseline: {
                try processorSeconds { for _ in 0..<rounds { _ = try Apart.here.decode(data, target: target) } }
                    * 1e3 / Double(rounds)
            }
        }
    }

    /// The time that 99 of 100 images do not exceed while all threads decode.
    private static let isolateBusy = Scenario(
        name: "isolate-p99", summary: "1600 × 1200 to 400 on all threads, the slowest hundredth, wall time"
    ) { bench in
        let threads = min(ProcessInfo.processInfo.activeProcessorCount, 8)
        let apart = try Apart(limit: threads)
        let count = bench.isQuick ? 200 : 1000
        try await bench.compare(
            "isolate-p99", with: "in the process", unit: "ms", bar: .atMost(1.25), pairs: bench.isQuick ? 5 : 7
        ) {
            slowest(count, threads) {
                _ = try? apart.decoders.decode(Photographs.medium, target: ResizeTarget(width: 400))
            }
        } baseline: {
            slowest(count, threads) { _ = try? Apart.here.decode(Photographs.medium, target: ResizeTarget(width: 400)) }
        }
    }

    private static let isolateOnce = Scenario(
        name: "isolate-once", summary: "1600 × 1200 to 400, a process for each image, wall time"
    ) { bench in
        let workers = DecoderWorkers(limit: 1, reuse: 1)
        let decoders = DecoderRegistry.standard.isolated(in: workers)
        try await bench.compare(
            "isolate-once", with: "in the process", unit: "ms", bar: .atMost(5), pairs: bench.isQuick ? 9 : 21
        ) {
            try seconds { _ = try decoders.decode(Photographs.medium, target: ResizeTarget(width: 400)) } * 1e3
        } baseline: {
            try seconds { _ = try Apart.here.decode(Photographs.medium, target: ResizeTarget(width: 400)) } * 1e3
        }
    }

    private static let isolateStart = Scenario(
        name: "isolate-start", summary: "from the start of a worker to its first image, beside 100 ms"
    ) { bench in
        try await bench.compare(
            "isolate-start", with: "100 ms", unit: "ms", bar: .atMost(1), pairs: bench.isQuick ? 9 : 21
        ) {
            let workers = DecoderWorkers(limit: 1)
            defer { workers.close() }
            return try seconds { try workers.start() } * 1e3
        } baseline: {
            100
        }
    }

    private static let isolateIdle = Scenario(
        name: "isolate-idle", summary: "the memory of an idle worker, its share of pages (PSS), beside 12 MB"
    ) { bench in
        let apart = try Apart(limit: 1)
        for _ in 0..<20 { _ = try apart.decoders.decode(Photographs.medium, target: ResizeTarget(width: 400)) }
        let bytes = try apart.proportionalBytes()
        try await bench.compare(
            "isolate-idle", with: "12 MB", unit: "MB", bar: .atMost(1), pairs: 5, ours: { bytes / 1e6 },
            baseline: { 12 })
    }

    /// Returns the time in milliseconds that 99 of 100 calls do not exceed.
    private static func slowest(_ count: Int, _ threads: Int, _ body: @escaping @Sendable () -> Void) -> Double {
        let times = Log<Double>()
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<count / threads { times.add(seconds(body) * 1e3) }
        }
        return times.entries.sorted()[count / threads * threads * 99 / 100]
    }
}

/// Decoder processes, with their processor time and memory.
private struct Apart: Sendable {
    static let here = DecoderRegistry.standard.isolated(by: .off)

    let workers: DecoderWorkers
    let decoders: DecoderRegistry

    init(limit: Int) throws {
        workers = DecoderWorkers(limit: limit, reuse: 1_000_000)
        decoders = DecoderRegistry.standard.isolated(in: workers)
        try workers.start()
    }

    /// Returns the processor time of `body` on this thread and in the workers, in seconds.
    func processorSeconds(_ body: () throws -> Void) throws -> Double {
        let before = workerSeconds()
        let own = try CPU.seconds(body)
        return own + workerSeconds() - before
    }

    private func workerSeconds() -> Double {
        workers.idleProcesses.reduce(0) { sum, process in
            let text = try? String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
            return sum + (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0) * 1e-9
        }
    }

    /// Returns the proportional set size of the idle worker, in bytes.
    func proportionalBytes() throws -> Double {
        guard let process = workers.idleProcesses.first, let bytes = ProcessTree.proportionalBytes(of: process) else {
            throw BenchError("the worker's memory cannot be read")
        }
        return bytes
    }
}

/// Calls the harness's function `processorSeconds`, which the method of the same name hides in `Apart`.
private enum CPU {
    static func seconds(_ body: () throws -> Void) rethrows -> Double { try processorSeconds(body) }
}
