import CalotypeBase
import CalotypeCodecs
import CalotypeServer
import Foundation

extension MakingOptions {
    /// The flags of making renditions, in the order of the help.
    static let flags: [Option] =
        [.watermark, .watermarkOpacity, .avifSpeed] + jpegXLFlags + [
            .gamut, .gainMaps, .edition, .maxAnimation, .maxSource, .maxDecode, .maxResult, .maxPixels, .timeLimit,
            .queue, .noSharedDecodes,
            .noIsolate,
        ]

    #if JPEGXL
        private static let jpegXLFlags: [Option] = [.jxlEffort, .jxlFromJPEG]
    #else
        private static let jpegXLFlags: [Option] = []
    #endif

    /// - Parameter shares: The division of the memory, into which the decoder processes fit.
    mutating func read(_ arguments: Arguments, _ shares: MemoryShares) throws(UsageError) {
        watermark = try Self.watermark(arguments)
        watermarkOpacity =
            try arguments.value(.watermarkOpacity, wanted: "a number from 0 to 1") { text in
                Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
            } ?? watermarkOpacity
        keepsGainMaps = try arguments.choice(.gainMaps, [("keep", true), ("drop", false)]) ?? keepsGainMaps
        edition = ByteString(arguments.all(.edition).joined(separator: " "))
        deadline = try arguments.seconds(.timeLimit, in: 1...600) ?? deadline
        encoders.avifSpeed = try arguments.integer(.avifSpeed, in: 0...10) ?? encoders.avifSpeed
        #if JPEGXL
            encoders.jpegXLEffort = try arguments.integer(.jxlEffort, in: 1...9) ?? encoders.jpegXLEffort
            encoders.recompressesJPEG = arguments.has(.jxlFromJPEG)
        #endif
        gamut = try arguments.choice(.gamut, [("keep", .displayP3), ("srgb", .sRGB)]) ?? gamut
        maxAnimationPixels =
            try arguments.megapixels(.maxAnimation, in: 0...100_000, "from 0 to 100000, such as 50")
            ?? maxAnimationPixels
        maxSourcePixels =
            try arguments.megapixels(.maxSource, in: 0.000_001...100_000, "above 0, such as 50") ?? maxSourcePixels
        maxDecodeBytes = try arguments.decodeLimit() ?? maxDecodeBytes
        maxResultSide = try arguments.integer(.maxResult, in: 1...65_535) ?? maxResultSide
        maxResultPixels =
            try arguments.megapixels(.maxPixels, in: 0.01...4000, "from 0.01 to 4000, such as 16") ?? maxResultPixels
        sharesDecodes = !arguments.has(.noSharedDecodes)
        queueLimit = try arguments.integer(.queue, in: 1...65_536) ?? queueLimit
        // Drawings that wait leave room in the queue.
        let workers = DecoderWorkers(limit: shares.workers, regions: shares.regions, waitingDrawings: queueLimit / 4)
        isolation = arguments.has(.noIsolate) ? .riskyFormats(in: workers) : .all(in: workers)
    }

    private static func watermark(_ arguments: Arguments) throws(UsageError) -> Bitmap? {
        guard let file = try arguments.image(.watermark) else { return nil }
        do throws(CodecError) { return try DecoderRegistry.standard.decode(file) } catch {
            throw arguments.error(.watermark, error.message)
        }
    }
}

extension Arguments {
    /// Returns the bytes of an image: of the file that an option names, or of a URL such as `data:image/png;base64,…`.
    func image(_ option: Option) throws(UsageError) -> Data? {
        guard let text = self[option], text.hasPrefix("data:") else { return try contents(option) }
        guard let comma = text.range(of: ";base64,"), let data = Data(base64Encoded: String(text[comma.upperBound...]))
        else { throw error(option, "expected a file, or data:image/png;base64, and base64") }
        return data
    }

    /// Returns the pixels of a number of megapixels.
    fileprivate func megapixels(
        _ option: Option, in range: ClosedRange<Double>, _ wanted: String
    ) throws(UsageError) -> Int? {
        try value(option, wanted: "megapixels \(wanted)") { text in
            Double(text).flatMap { range.contains($0) ? Int($0 * 1_000_000) : nil }
        }
    }
}

extension Option {
    static let watermark = Option(
        "watermark", nil, "FILE", offers: .files, takesBytes: true,
        help: "The image of the option watermark, or a URL data:image/png;base64,….")
    static let watermarkOpacity = Option(
        "watermark-opacity", nil, "FACTOR",
        help: "Multiply the opacity of all watermarks by this, from 0 to 1. The default is 1.")
    static let gamut = Option(
        "gamut", nil, "keep|srgb", offers: .words(["keep", "srgb"]),
        help:
            "Keep colors beyond sRGB, as Display P3, in results that have some, or convert all to sRGB. The default is keep."
    )
    static let gainMaps = Option(
        "gain-maps", nil, "keep|drop", offers: .words(["keep", "drop"]),
        help: "Keep gain maps, for HDR displays, in results of 400 pixels and more (the default), or only for ph:1.")
    static let edition = Option(
        "edition", nil, "TEXT",
        help: "Any text: with another one, caches and clients get all results anew. May be given several times.")
    #if JPEGXL
        static let jxlEffort = Option(
            "jxl-effort", nil, "1-9",
            help: "The effort of writing jxl, from 1 (fastest) to 9 (smallest files). The default is 4.")
        static let jxlFromJPEG = Option(
            "jxl-from-jpeg",
            help:
                "Make opaque jxl from the JPEG that other clients get, without a further loss and faster than from the image."
        )
    #endif
    static let timeLimit = Option(
        "time-limit", nil, "SECONDS",
        help: "The time to make a thumbnail, with its source and the queue. The default is 15.")
    static let maxAnimation = Option(
        "max-animation", nil, "MP",
        help: "Show the first frame of animations that have more megapixels in all frames together. The default is 50.")
    static let maxSource = Option(
        "max-source", nil, "MP", help: "Refuse sources of more megapixels. The default is 50.")
    static let maxResult = Option(
        "max-result", nil, "PIXELS",
        help: "The longest side of a result. Larger results are made smaller as a whole. The default is 4096.")
    static let maxPixels = Option(
        "max-pixels", nil, "MP",
        help: "The megapixels of a result. Larger results are made smaller as a whole. The default is 16.")
    static let queue = Option(
        "queue", nil, "N",
        help: "Make or queue at most N renditions at a time, 256 by default. Further ones are answered 503 at once.")
    static let noSharedDecodes = Option(
        "no-shared-decodes",
        help:
            "Decode an original for each size, also if several wait at once. Each size then has the same bytes each time."
    )
    static let noIsolate = Option(
        "no-isolate", help: "Decode the usual formats in this process: it starts faster, but a bug in a codec ends it.")
}
