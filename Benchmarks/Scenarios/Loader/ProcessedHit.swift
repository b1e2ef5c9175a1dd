import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import CalotypeTesting
import Foundation

extension Scenario {
    /// The cost of loading a stored processed image, including the check that its original may still be used.
    static let processedHit = Scenario(
        name: "processed-hit",
        summary: "a processed image of 400 px from disk; an original of those bytes from disk, both decoded"
    ) { bench in
        let photo = Photographs.medium
        let size = ResizeTarget(width: 400)
        let processed = try await DecodedRound(photo, size: size)
        // The baseline: an original with exactly the bytes that the store holds for the processed image.
        let original = try await DecodedRound(try await processed.storedImage(), size: nil)
        try await bench.compare(
            "processed-hit", with: "an original of those bytes", unit: "µs", bar: .atMost(1.5),
            pairs: bench.isQuick ? 15 : 25
        ) {
            try await processed.microseconds()
        } baseline: {
            try await original.microseconds()
        }
        try await processed.close()
        try await original.close()
    }
}

/// Loads one image from disk over and over, without a memory cache.
private struct DecodedRound {
    private static let count = 100

    private let directory: ScratchDirectory
    private let store: DiskStore
    private let loader: ImageLoader
    private let request: ImageRequest

    init(_ data: Data, size: ResizeTarget?) async throws {
        directory = try ScratchDirectory()
        store = DiskStore(directory: directory.path, options: .roomy)
        guard let url = URL(string: "https://images.example.org/photo") else { throw BenchError("no URL") }
        request = ImageRequest(url, size: size)
        var options = ImageLoaderOptions.ephemeral
        options.disk = .store(store)
        options.storage = .all
        options.memory.costLimit = 0
        options.transport = FakeTransport(fields: ["Cache-Control": "max-age=3600"], body: data)
        loader = ImageLoader(options)
        _ = try await loader.fetch(request)
        try await store.flush()
    }

    func storedImage() async throws -> Data {
        for entry in try await store.list() where entry.key.string.hasPrefix("processed") {
            if let data = try await store.entry(for: entry.key)?.body { return data }
        }
        throw BenchError("no processed image was stored")
    }

    func microseconds() async throws -> Double {
        let time = try await seconds {
            for _ in 0..<DecodedRound.count {
                guard try await loader.response(for: request).origin == .disk else {
                    throw BenchError("an image came from elsewhere")
                }
            }
        }
        return time * 1e6 / Double(DecodedRound.count)
    }

    func close() async throws { try await store.close() }
}
