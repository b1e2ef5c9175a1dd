import CalotypeCodecs
import CalotypeTesting
import Foundation

// The processor time to decode a thumbnail from bytes in memory to pixels in memory. Both sides use one thread.

extension Scenario {
    static let thumbJPEG = Scenario(
        name: "thumb-jpeg", summary: "JPEGs of 4000 × 3000, 1600 × 1200 and 600 × 450 at 400 × 300"
    ) { bench in
        for (name, data, bar) in [
            ("4000", Photographs.large, VipsBar(0.85, new: 0.84)),
            ("1600", Photographs.medium, VipsBar(0.65, new: 0.6)), ("600", Photographs.small, VipsBar(0.45, new: 0.4)),
        ] {
            try await bench.compare(
                "thumb-jpeg-\(name)", with: "bare libjpeg-turbo + bare loops", unit: "ms", bar: .atMost(1.15),
                pairs: bench.isQuick ? 21 : 41
            ) {
                try processorSeconds { try thumbnail(data) } * 1e3
            } baseline: {
                try processorSeconds { try BareJPEG.thumbnail(data, width: 400) } * 1e3
            }
            try await bench.compareWithVips("thumb-jpeg-\(name)", data, bar: bar, pairs: bench.isQuick ? 21 : 41)
        }
    }

    /// What a gain map adds: its own decode, its scaling, and a second JPEG.
    static let thumbGainMap = Scenario(
        name: "thumb-gain-map", summary: "a JPEG of 4000 × 3000 with a gain map of 1000 × 750, at 400 × 300 as a JPEG"
    ) { bench in
        let data = Photographs.largeWithGainMap
        try await bench.compare(
            "thumb-gain-map", with: "the same without the map", unit: "ms", bar: .atMost(1.3),
            pairs: bench.isQuick ? 21 : 41
        ) {
            try processorSeconds { try thumbnailFile(data, keepsMap: true) } * 1e3
        } baseline: {
            try processorSeconds { try thumbnailFile(data, keepsMap: false) } * 1e3
        }
    }

    private static func thumbnailFile(_ data: Data, keepsMap: Bool) throws {
        let layout = GamutLayout(ResizeTarget(width: 400), in: .sRGB, gainMapSide: keepsMap ? 1 : nil)
        let file = try DecoderRegistry.standard.plan(for: data, target: layout).decode().encoded(as: .jpeg(quality: 80))
        guard GainMap.isPresent(in: file) == keepsMap else { throw BenchError("the map is not as it should be") }
    }

    static let thumbPNG = Scenario(
        name: "thumb-png", summary: "PNGs of 12 megapixels at 400 × 300, drawn by code and from a photograph"
    ) { bench in
        try await bench.compareWithVips(
            "thumb-png", Photographs.largePNG, bar: VipsBar(1, new: 0.92), pairs: bench.isQuick ? 5 : 15)
        guard let photograph = Photographs.foundPNG else {
            return bench.printer.note(
                "thumb-png-adaptive: no photographs; Scripts/setup bench installs mate-backgrounds")
        }
        try await bench.compareWithVips(
            "thumb-png-adaptive", photograph, bar: VipsBar(1, new: 0.92), pairs: bench.isQuick ? 5 : 15)
    }

    static let thumbWebP = Scenario(
        name: "thumb-webp", summary: "a lossy WebP of 12 megapixels at 400 × 300"
    ) { bench in
        try await bench.compareWithVips(
            "thumb-webp", Photographs.largeWebP, bar: VipsBar(0.95, new: 0.6), pairs: bench.isQuick ? 5 : 15)
    }

    fileprivate static func thumbnail(_ data: Data) throws {
        let bitmap = try DecoderRegistry.standard.plan(for: data, target: ResizeTarget(width: 400)).decode()
        guard bitmap.width == 400, bitmap.height == 300 else { throw BenchError("the thumbnail has the wrong size") }
    }
}

extension Scenario {
    /// The cost of the resampling filter alone.
    static let resizeLarge = Scenario(
        name: "resize-large", summary: "12 megapixels of opaque pixels in memory, at half the size"
    ) { bench in
        let source = try DecoderRegistry.standard.plan(for: Photographs.large).decode()
        let half = PixelSize(width: source.width / 2, height: source.height / 2)
        let pairs = bench.isQuick ? 7 : 21
        func ours() throws -> Double { try processorSeconds { _ = try source.scaled(to: half) } * 1e3 }
        if let vips = Vips.shared {
            let pixels = source.rgb
            try await bench.compare(
                "resize-large", with: "vips_resize \(vips.version), three bands", unit: "ms",
                bar: .atMost(VipsBar(0.65, new: 0.8).value(for: vips)), pairs: pairs
            ) {
                try ours()
            } baseline: {
                try await allProcessorSeconds {
                    try pixels.withUnsafeBytes {
                        try vips.resize($0, width: source.width, height: source.height, by: 0.5)
                    }
                } * 1e3
            }
        } else {
            bench.noteMissingVips("resize-large")
        }
        guard let pillow = Pillow(from: (source.width, source.height), to: (half.width, half.height)) else {
            return bench.printer.note("resize-large: Pillow is not installed; Scripts/setup bench installs it")
        }
        try await bench.compare(
            "resize-large", with: "Pillow, LANCZOS", unit: "ms", bar: .atMost(0.4), pairs: pairs
        ) {
            try ours()
        } baseline: {
            try pillow.resize() * 1e3
        }
    }
}

/// The largest ratio to the processor time of libvips.
private struct VipsBar {
    private let old: Double
    private let new: Double

    /// - Parameters:
    ///   - old: Beside 8.14.
    ///   - new: Beside 8.18 and newer.
    init(_ old: Double, new: Double) { (self.old, self.new) = (old, new) }

    func value(for vips: Vips) -> Double { vips.isNew ? new : old }
}

extension Bench {
    fileprivate func compareWithVips(_ name: String, _ data: Data, bar: VipsBar, pairs: Int) async throws {
        guard let vips = Vips.shared else { return noteMissingVips(name) }
        try await compare(
            name, with: "vips_thumbnail_buffer \(vips.version)", unit: "ms", bar: .atMost(bar.value(for: vips)),
            pairs: pairs
        ) {
            try processorSeconds { try Scenario.thumbnail(data) } * 1e3
        } baseline: {
            try await allProcessorSeconds { try vips.thumbnail(data, width: 400) } * 1e3
        }
    }

    func noteMissingVips(_ name: String) {
        printer.note("\(name): libvips is not installed; Scripts/setup bench installs it")
    }
}

extension Bitmap {
    /// Three bytes per pixel, the layout of opaque images in libvips.
    fileprivate var rgb: [UInt8] {
        withUnsafeBytes { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(3 * width * height)
            for pixel in Swift.stride(from: 0, to: 4 * width * height, by: 4) {
                result.append(bytes[pixel + 2])
                result.append(bytes[pixel + 1])
                result.append(bytes[pixel])
            }
            return result
        }
    }
}
