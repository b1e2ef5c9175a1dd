import CalotypeCodecs
import Foundation

extension Scenario {
    /// The cost that the library's decoder adds to libavif's work.
    static let decodeAVIF = Scenario(name: "avif-decode", summary: "an AVIF of 1 megapixel at full size") { bench in
        let data = try BareAVIF.photograph().encoded(as: .avif(quality: 60))
        try await bench.compare(
            "avif-decode", with: "bare libavif", unit: "ms", bar: .atMost(1.1), pairs: bench.isQuick ? 5 : 15
        ) {
            try processorSeconds { _ = try DecoderRegistry.standard.plan(for: data).decode() } * 1e3
        } baseline: {
            try processorSeconds { try BareAVIF.decode(data) } * 1e3
        }
    }

    /// The cost that the library's encoder adds to libavif's work, at the same speed and quality.
    static let encodeAVIF = Scenario(name: "avif-encode", summary: "1 megapixel to AVIF") { bench in
        let bitmap = try BareAVIF.photograph()
        try await bench.compare(
            "avif-encode", with: "bare libavif", unit: "ms", bar: .atMost(1.1), pairs: bench.isQuick ? 3 : 9
        ) {
            try processorSeconds { _ = try bitmap.encoded(as: .avif(quality: 60)) } * 1e3
        } baseline: {
            try processorSeconds { try BareAVIF.encode(bitmap) } * 1e3
        }
    }
}
