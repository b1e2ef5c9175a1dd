import Calotype
import CalotypeCodecs
import CalotypeMemory
import CalotypeStore
import Foundation

extension Scenario {
    /// The peak memory of a loader that receives all requests at once.
    static let peakMemory = Scenario(
        name: "peak-memory",
        summary: "the largest memory of a process that loads a 12-megapixel JPEG from 1,000 URLs at once, to 400 px"
    ) { bench in
        let origin = try ChildProcess(.origin(.photo))
        let root = try origin.readLine()
        // Each child process yields one sample. The baseline is the limit itself, 400 MB.
        var samples: [(ours: Double, baseline: Double)] = []
        for _ in 0..<(bench.isQuick ? 1 : 3) {
            samples.append((try megabytes(of: .loader(origin: root, count: 1000, directory: nil)), 400))
        }
        bench.report("peak-memory", with: "limit", unit: "MB", bar: .atMost(1), samples)
        withExtendedLifetime(origin) {}
    }

    /// The peak memory of loading large originals, first from the network into a disk store, then from that store.
    static let peakMemoryDisk = Scenario(
        name: "peak-memory-disk",
        summary: "the same for 300 JPEGs of 8.5 MB over a disk store: cold, then stored; with a length and without"
    ) { bench in
        for (kind, ending) in [(OriginKind.large, ""), (.chunked, "-chunked")] {
            let origin = try ChildProcess(.origin(kind))
            let root = try origin.readLine()
            var samples: [String: [(ours: Double, baseline: Double)]] = [:]
            for _ in 0..<(bench.isQuick ? 1 : 3) {
                let directory = try ScratchDirectory()
                for way in ["cold", "stored"] {
                    let loader = ChildRole.loader(origin: root, count: 300, directory: directory.path)
                    samples[way, default: []].append((try megabytes(of: loader), 600))
                }
            }
            for way in ["cold", "stored"] {
                bench.report(
                    "peak-memory-\(way)\(ending)", with: "limit", unit: "MB", bar: .atMost(1), samples[way] ?? [])
            }
            withExtendedLifetime(origin) {}
        }
    }

    private static func megabytes(of loader: ChildRole) throws -> Double {
        guard let kilobytes = Double(try ChildProcess(loader).readLine()) else {
            throw BenchError("the loader gave no figure")
        }
        return kilobytes * 1024 / 1e6
    }
}

/// The measured process: a loader with a memory cache of 64 MiB, with or without a disk store.
enum PeakMemory {
    static func load(_ count: Int, from origin: String, directory: String?) async throws {
        var options = ImageLoaderOptions.ephemeral
        if let directory { options.disk = .store(DiskStore(directory: directory, options: .roomy)) }
        options.memory = MemoryCacheOptions(costLimit: 64 << 20)
        let loader = ImageLoader(options)
        let tasks = (0..<count).compactMap { URL(string: "\(origin)/photos/\($0).jpg") }.map { url in
            Task { try await loader.fetch(ImageRequest(url, size: ResizeTarget(width: 400))).width }
        }
        for task in tasks {
            guard try await task.value == 400 else { throw BenchError("an image has the wrong size") }
        }
        let peak = try residentKilobytes(peak: true)
        try await loader.diskStore?.close()
        FileHandle.standardOutput.write(Data("\(peak)\n".utf8))
    }
}
