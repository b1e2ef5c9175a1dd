import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import CalotypeURLs
import Foundation

/// Encodes a finished image by the options of its URL and the formats that the client accepts.
struct RenditionEncoding: Sendable {
    let options: RenditionOptions
    let accepted: AcceptedFormats?
    /// The speed of the encoder of AVIF, from 0 (smallest files) to 10.
    let avifSpeed: Int
    /// The clock for the time limit of `max_bytes`.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Returns the format that the URL names, or the best format that the client accepts. Without both, a PNG stays a
    /// PNG, as in imgproxy, and an image with transparency becomes one.
    func format(of bitmap: Bitmap) -> RenditionFormat {
        if let format = options.format { return format }
        if accepted?.avif == true, isQuickAVIF(bitmap.size) { return .avif }
        if accepted?.webp == true { return .webp }
        return bitmap.hadAlpha || bitmap.sourceFormat == .png ? .png : .jpeg
    }

    /// Whether a canvas that the options add becomes white. It stays transparent if the URL names the format, and if the
    /// result would be a PNG without it: a JPEG would be one of four times the bytes, and look different from a client that
    /// accepts WebP to one that does not.
    private func isOnWhite(_ bitmap: Bitmap) -> Bool {
        options.format == nil && bitmap.hasAlpha && !bitmap.hadAlpha && bitmap.sourceFormat != .png
    }

    /// Returns the peak memory of encoding an image of this size in bytes, in whichever format it may be.
    @Sendable func peakBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
        let copy = options.format == nil && options.addsTransparency ? size.bitmapMemory : 0
        return candidates(for: size).map { peakBytes(of: size, hasAlpha: hasAlpha, in: $0) + copy }.max() ?? 0
    }

    private func peakBytes(of size: PixelSize, hasAlpha: Bool, in format: RenditionFormat) -> Int {
        let encoding = encoder(format, quality(of: format)).peakBytes(of: size, hasAlpha: hasAlpha)
        guard scoreSearch(in: format) != nil else { return encoding }
        // The decoded file with what its decoder takes, and the files that were made.
        return encoding + 3 * size.bitmapMemory + PerceptualSimilarity.memory(width: size.width)
    }

    private func candidates(for size: PixelSize) -> [RenditionFormat] {
        if let format = options.format { return [format] }
        if accepted?.avif == true, isQuickAVIF(size) { return [.avif] }
        return accepted?.webp == true ? [.webp] : [.png, .jpeg]
    }

    /// Whether the file may be an AVIF.
    var mayBeAVIF: Bool { options.format == .avif || options.format == nil && accepted?.avif == true }

    /// Whether AVIF is quick enough: it takes too long for larger images.
    private func isQuickAVIF(_ size: PixelSize) -> Bool { size.width * size.height <= 1_000_000 }

    /// Encodes the image on a codec thread, within its reservation. Ends between two attempts if the task is cancelled.
    func file(
        of image: ImageResponse, _ loader: ImageLoader
    ) async throws(ImageError) -> (data: Data, format: RenditionFormat) {
        let bitmap = image.bitmap, format = format(of: bitmap)
        let isOnWhite = isOnWhite(bitmap)
        let cost =
            peakBytes(of: bitmap.size, hasAlpha: bitmap.hasAlpha && !isOnWhite, in: format)
            + (isOnWhite ? bitmap.size.bitmapMemory : 0)
        let cancellation = Cancellation()
        let data = try await cancellation.observed { () throws(ImageError) in
            try await loader.work(on: image, cost: cost) { () throws(CodecError) in
                let drawn =
                    isOnWhite ? try bitmap.applying(.background(.white)).declaring(credits: bitmap.credits) : bitmap
                return try encoded(drawn, as: format) { !cancellation.isCancelled }
            }
        }
        return (data, format)
    }

    /// Encodes the image, with the quality that the URL names or whose file looks as alike as it says. If a lossy file would
    /// exceed the URL's limit, lowers the quality until it fits; a file of the lowest quality may still exceed the limit. Lossless
    /// files stay as large as they are.
    ///
    /// - Parameter goesOn: Called before each further attempt. If it returns `false`, the search ends with `cancelled`.
    func encoded(
        _ bitmap: Bitmap, as format: RenditionFormat, while goesOn: () -> Bool
    ) throws(CodecError) -> Data {
        // `self`, because Glibc has a function `clock`.
        let stopwatch = Stopwatch(self.clock)
        var wanted = quality(of: format)
        let whole: Data
        if let search = scoreSearch(in: format) {
            (whole, wanted) = try alikeFile(of: bitmap, format, search, while: goesOn)
        } else {
            whole = try file(of: bitmap, format, wanted)
        }
        guard let limit = options.byteLimit, whole.count > limit, isLossy(format) else { return whole }
        let lowest = min(options.autoQuality?.qualities.lowerBound ?? 1, wanted)
        return try QualitySearch(limit: limit, tooLarge: whole.count, at: wanted, lowest: lowest).best {
            (quality) throws(CodecError) in
            guard goesOn() else { throw .cancelled }
            return try file(of: bitmap, format, quality)
        } while: {
            stopwatch.elapsed() < Self.patience
        }
    }

    /// Returns the file whose score is the nearest to the one that the URL names, and its quality.
    private func alikeFile(
        of bitmap: Bitmap, _ format: RenditionFormat, _ search: ScoreSearch, while goesOn: () -> Bool
    ) throws(CodecError) -> (Data, quality: Int) {
        try search.best { (quality) throws(CodecError) in
            guard goesOn() else { throw .cancelled }
            let data = try file(of: bitmap, format, quality)
            // Its own bytes: nothing of a stranger is decoded in this process.
            guard let score = PerceptualSimilarity.score(bitmap, try DecoderRegistry.standard.decode(data)) else {
                throw CodecError(.encodingFailed, "encoding changed the image's size")
            }
            return (data, score)
        }
    }

    /// The time after which the search for a quality takes the best file so far.
    static let patience = Duration.seconds(5)

    /// Whether an animated source becomes an animation. That needs WebP: named by the URL, or accepted by the client if
    /// the URL names no format.
    var keepsMotion: Bool {
        guard !options.disablesAnimation, options.maxFrames != 1 else { return false }
        return options.format == .webp || options.format == nil && accepted?.webp == true
    }

    /// The format of animations.
    var animated: EncodingFormat { encoder(.webp, quality(of: .webp)) }

    private func file(
        of bitmap: Bitmap, _ format: RenditionFormat, _ quality: Int
    ) throws(CodecError) -> Data {
        let credits = options.keepsCredits ? bitmap.credits.map { EXIFBlock($0) } : nil
        return try encoder(format, quality).encode(bitmap, with: credits)
    }

    private func quality(of format: RenditionFormat) -> Int {
        if let rule = options.autoQuality, case .size = rule.goal { return rule.qualities.upperBound }
        return options.quality > 0 ? options.quality : options.qualities[format] ?? format.defaultQuality
    }

    private func isLossy(_ format: RenditionFormat) -> Bool {
        format != .png && !(format == .webp && options.isLosslessWebP)
    }

    /// The search that the URL asks for, if it does so for this format.
    private func scoreSearch(in format: RenditionFormat) -> ScoreSearch? {
        guard isLossy(format), let rule = options.autoQuality, case .score(let score) = rule.goal else { return nil }
        return ScoreSearch(
            score, error: rule.error, qualities: rule.qualities, usual: ScoreSearch.usualScores(of: format))
    }

    private func encoder(_ format: RenditionFormat, _ quality: Int) -> EncodingFormat {
        switch format {
        case .png:
            .png(
                isInterlaced: options.png.isInterlaced,
                colorLimit: options.png.isQuantized ? options.png.colors : nil)
        case .webp: options.isLosslessWebP ? .webpLossless : .webp(quality: quality)
        case .avif: .avif(quality: quality, speed: avifSpeed)
        case .jpeg:
            .jpeg(
                quality: quality, isProgressive: options.jpeg.isProgressive,
                keepsColors: options.jpeg.keepsColors ? true : nil, hasProfile: !options.stripsProfile)
        }
    }
}
