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
    var encoders = EncoderOptions()
    /// Whether the server keeps gain maps of sources.
    var keepsGainMaps = false
    /// Whether the image is a drawing that is encoded as one, because the URL names the format `best`.
    var isGraphic = false
    /// The clock for the time limit of `max_bytes`.
    var clock: any Clock<Duration> = ContinuousClock()

    /// Returns the peak memory of encoding an image of this size in bytes, in whichever format it may be.
    @Sendable func peakBytes(of size: PixelSize, hasAlpha: Bool) -> Int {
        let copy = options.format == nil && options.addsTransparency ? size.bitmapMemory : 0
        guard options.choosesByContent else {
            return candidates(for: size).map { peakBytes(of: size, hasAlpha: hasAlpha, in: $0) + copy }.max() ?? 0
        }
        var encoding = self
        encoding.isGraphic = true
        let peak = candidates(for: size).map { encoding.peakBytes(of: size, hasAlpha: hasAlpha, in: $0) }.max() ?? 0
        // The file without loss is kept beside the encoder of the other one.
        return max(peak + size.bitmapMemory, lossless.peakBytes(of: size, hasAlpha: hasAlpha)) + copy
    }

    private func peakBytes(of size: PixelSize, hasAlpha: Bool, in format: RenditionFormat) -> Int {
        let encoding = encoder(format, quality(of: format)).peakBytes(of: size, hasAlpha: hasAlpha)
        guard scoreSearch(in: format) != nil else { return encoding }
        // The decoded file with what its decoder takes, and the files that were made.
        return encoding + 3 * size.bitmapMemory + PerceptualSimilarity.memory(of: size, hasAlpha: hasAlpha)
    }

    /// Encodes the image on a codec thread, within its reservation. Ends between two attempts if the task is cancelled.
    func file(
        of image: ImageResponse, _ loader: ImageLoader
    ) async throws(ImageError) -> (data: Data, format: RenditionFormat) {
        let bitmap = image.bitmap, isOnWhite = isOnWhite(bitmap)
        let hasAlpha = bitmap.hasAlpha && !isOnWhite
        let cost =
            options.choosesByContent
            ? peakBytes(of: bitmap.size, hasAlpha: hasAlpha)
            : peakBytes(of: bitmap.size, hasAlpha: hasAlpha, in: format(of: bitmap))
                + (isOnWhite ? bitmap.size.bitmapMemory : 0)
        let map = bitmap.heldBytes - bitmap.byteCount
        // Beside the map, a changed copy of it, and its encoder.
        return try await file(from: image, cost: cost + 3 * map, loader) { (bitmap) throws(CodecError) in bitmap }
    }

    /// Draws the image to be encoded from a larger one, and encodes it, in one piece of work on a codec thread.
    ///
    /// - Parameter cost: The peak memory of both in bytes, with the larger image.
    func file(
        from image: ImageResponse, cost: Int, _ loader: ImageLoader,
        draw: @escaping @Sendable (Bitmap) throws(CodecError) -> Bitmap
    ) async throws(ImageError) -> (data: Data, format: RenditionFormat) {
        let cancellation = Cancellation()
        return try await cancellation.observed { () throws(ImageError) in
            try await loader.work(on: image, cost: cost) { () throws(CodecError) in
                try bestFile(of: draw(image.bitmap)) { !cancellation.isCancelled }
            }
        }
    }

    private func bestFile(
        of image: Bitmap, while goesOn: () -> Bool
    ) throws(CodecError) -> (data: Data, format: RenditionFormat) {
        let bitmap = keepsGainMap(of: image) ? image : image.declaring(gainMap: nil)
        var encoding = self
        encoding.isGraphic = options.choosesByContent && bitmap.gainMap == nil && bitmap.isGraphic
        let drawn =
            isOnWhite(bitmap) ? try bitmap.applying(.background(.white)).declaring(credits: bitmap.credits) : bitmap
        return try encoding.smallerFile(of: drawn, encoding.format(of: bitmap), while: goesOn)
    }

    /// Encodes a drawing without visible loss, too: that file takes the other's place unless it is larger.
    private func smallerFile(
        of bitmap: Bitmap, _ format: RenditionFormat, while goesOn: () -> Bool
    ) throws(CodecError) -> (data: Data, format: RenditionFormat) {
        guard isGraphic, isLossy(format) else { return (try encoded(bitmap, as: format, while: goesOn), format) }
        // First, because it takes the most memory.
        let whole = try file(of: bitmap, lossless)
        guard goesOn() else { throw .cancelled }
        let other = try encoded(bitmap, as: format, while: goesOn)
        return whole.count <= other.count ? (whole, acceptsWebP ? .webp : .png) : (other, format)
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
            whole = try file(of: bitmap, encoder(format, wanted))
        }
        guard let limit = options.byteLimit, whole.count > limit, isLossy(format) else { return whole }
        let lowest = min(options.autoQuality?.qualities.lowerBound ?? 1, wanted)
        return try QualitySearch(limit: limit, tooLarge: whole.count, at: wanted, lowest: lowest).best {
            (quality) throws(CodecError) in
            guard goesOn() else { throw .cancelled }
            return try file(of: bitmap, encoder(format, quality))
        } while: {
            stopwatch.elapsed() < Self.patience
        }
    }

    /// Returns the file whose score is the nearest to the one that the URL names, and its quality.
    private func alikeFile(
        of bitmap: Bitmap, _ format: RenditionFormat, _ search: ScoreSearch, while goesOn: () -> Bool
    ) throws(CodecError) -> (Data, quality: Int) {
        let reference = PerceptualSimilarity.Reference(try bitmap.converted(to: .sRGB))
        return try search.best { (quality) throws(CodecError) in
            guard goesOn() else { throw .cancelled }
            let data = try file(of: bitmap, encoder(format, quality))
            // Its own bytes: nothing of a stranger is decoded in this process.
            guard let score = reference.score(of: try DecoderRegistry.standard.decode(data)) else {
                throw CodecError(.encodingFailed, "encoding changed the image's size")
            }
            return (data, score)
        }
    }

    /// The time after which the search for a quality takes the best file so far.
    static let patience = Duration.seconds(5)

    /// The format of animations.
    var animated: EncodingFormat { encoder(.webp, quality(of: .webp)) }

    private func file(of bitmap: Bitmap, _ encoder: EncodingFormat) throws(CodecError) -> Data {
        let credits = options.keepsCredits ? bitmap.credits.map { EXIFBlock($0) } : nil
        return try encoder.encode(bitmap, with: credits)
    }

    private func quality(of format: RenditionFormat) -> Int {
        if let rule = options.autoQuality, case .size = rule.goal { return rule.qualities.upperBound }
        let scale = scale(of: format)
        let quality = options.quality > 0 ? options.quality : options.qualities[scale] ?? scale.defaultQuality
        guard isGraphic, format == .webp || format == .avif, quality < 90, options.autoQuality == nil else {
            return quality
        }
        // Edges in sharp colors have the mean score of photographs at five sixths of their quality: 78 for the defaults.
        return quality * 5 / 6
    }

    private func isLossy(_ format: RenditionFormat) -> Bool {
        format != .png && !(format == .webp && options.isLosslessWebP)
    }

    /// The search that the URL asks for, if it does so for this format.
    private func scoreSearch(in format: RenditionFormat) -> ScoreSearch? {
        guard isLossy(format), let rule = options.autoQuality, case .score(let score) = rule.goal else { return nil }
        return ScoreSearch(
            score, error: rule.error, qualities: rule.qualities, usual: ScoreSearch.usualScores(of: scale(of: format)))
    }

    /// Returns the format whose qualities count: for a JPEG XL that holds a JPEG, those of the latter.
    private func scale(of format: RenditionFormat) -> RenditionFormat {
        #if JPEGXL
            if format == .jxl, encoders.recompressesJPEG, !isGraphic { return .jpeg }
        #endif
        return format
    }

    /// The format of drawings without visible loss.
    private var lossless: EncodingFormat {
        guard acceptsWebP else { return encoder(.png, 0) }
        return options.isLosslessWebP ? .webpLossless : .webp(ofGraphic: nil)
    }

    private func encoder(_ format: RenditionFormat, _ quality: Int) -> EncodingFormat {
        switch format {
        case .png:
            .png(
                isInterlaced: options.png.isInterlaced,
                colorLimit: options.png.isQuantized ? options.png.colors : nil)
        case .webp where options.isLosslessWebP: .webpLossless
        case .webp: isGraphic ? .webp(ofGraphic: quality) : .webp(quality: quality)
        case .avif where isGraphic: .avif(ofGraphic: quality, speed: encoders.avifSpeed)
        case .avif: .avif(quality: quality, speed: encoders.avifSpeed)
        case .jpeg:
            .jpeg(
                quality: quality, isProgressive: options.jpeg.isProgressive,
                keepsColors: keepsColors, hasProfile: !options.stripsProfile)
        #if JPEGXL
            case .jxl where scale(of: format) == .jpeg:
                .jpegXL(ofJPEG: quality, keepsColors: keepsColors, effort: encoders.jpegXLEffort)
            case .jxl: .jpegXL(quality: quality, effort: encoders.jpegXLEffort)
        #endif
        }
    }

    /// Whether colors keep their full resolution in a JPEG; `nil` lets the image decide.
    private var keepsColors: Bool? {
        options.jpeg.keepsColors ? true : nil
    }
}
