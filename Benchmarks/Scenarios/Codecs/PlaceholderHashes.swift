import CalotypeCodecs

extension Scenario {
    /// The time to decode a placeholder's hash. Until then, a list shows nothing in the image's place.
    static let placeholderHashes = Scenario(
        name: "placeholder", summary: "BlurHash and ThumbHash, from text to pixels"
    ) { bench in
        try await decode(bench, "blurhash-decode") {
            try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")?.bitmap()
        }
        try await decode(bench, "thumbhash-decode") {
            try ThumbHash(base64: "k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ")?.bitmap()
        }
    }

    private static func decode(_ bench: Bench, _ name: String, _ bitmap: () throws -> Bitmap?) async throws {
        let times = 200
        try await bench.compare(
            name, with: "100 µs", unit: "µs", bar: .atMost(1), pairs: bench.isQuick ? 7 : 21
        ) {
            try processorSeconds {
                for _ in 0..<times where try bitmap() == nil { throw BenchError("\(name): the hash is not read") }
            } * 1e6 / Double(times)
        } baseline: {
            100
        }
    }
}
