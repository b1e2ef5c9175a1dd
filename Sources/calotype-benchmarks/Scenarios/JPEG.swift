import CalotypeCodecs
import Foundation

extension Scenario {
    /// What our decoder adds to libjpeg-turbo's work.
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

    /// What a thumbnail costs, from bytes in memory to pixels in memory.
    static let thumbJPEG = Scenario(
        name: "thumb-jpeg", summary: "JPEGs of 4000 × 3000 and 1600 × 1200 at 400 × 300"
    ) { bench in
        let vips = Vips()
        if vips == nil { bench.printer.note("thumb-jpeg: libvips is not installed; Scripts/setup bench installs it") }
        for (name, data, vipsBar) in [("4000", Photographs.large, 0.8), ("1600", Photographs.medium, 0.4)] {
            let pairs = bench.isQuick ? 21 : 41
            try await bench.compare(
                "thumb-jpeg-\(name)", with: "bare libjpeg-turbo + libyuv", unit: "ms", bar: .atMost(1.15), pairs: pairs
            ) {
                try seconds { try thumbnail(data) } * 1e3
            } baseline: {
                try seconds { try BareJPEG.thumbnail(data, width: 400) } * 1e3
            }
            guard let vips else { continue }
            try await bench.compare(
                "thumb-jpeg-\(name)", with: "vips_thumbnail_buffer", unit: "ms", bar: .atMost(vipsBar), pairs: pairs
            ) {
                try seconds { try thumbnail(data) } * 1e3
            } baseline: {
                try seconds { try vips.thumbnail(data, width: 400) } * 1e3
            }
        }
    }

    private static func thumbnail(_ data: Data) throws {
        let bitmap = try DecoderRegistry.standard.plan(for: data, target: ResizeTarget(width: 400)).decode()
        guard bitmap.width == 400, bitmap.height == 300 else { throw BenchError("the thumbnail has the wrong size") }
    }
}
