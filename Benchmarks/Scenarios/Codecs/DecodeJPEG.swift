import CalotypeCodecs
import Foundation

extension Scenario {
    /// The cost that the library's decoder adds to libjpeg-turbo's work.
    static let decodeJPEG = Scenario(
        name: "decode-jpeg", summary: "a JPEG of 12 megapixels at full size"
    ) { bench in
        let data = Photographs.large
        try await bench.compare(
            "decode-jpeg", with: "bare libjpeg-turbo", unit: "ms", bar: .atMost(1.15), pairs: bench.isQuick ? 9 : 21
        ) {
            try seconds { _ = try DecoderRegistry.standard.plan(for: data).decode() } * 1e3
        } baseline: {
            try seconds { try BareJPEG.decode(data) } * 1e3
        }
    }
}
