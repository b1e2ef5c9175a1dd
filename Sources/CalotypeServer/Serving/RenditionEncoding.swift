import CalotypeBase
import CalotypeCodecs
import Foundation

/// Encodes a finished image by the options of its URL and the formats that the client accepts.
struct RenditionEncoding: Sendable {
    let options: RenditionOptions
    let accepted: AcceptedFormats?

    /// Returns the format that the URL names, or the best format that the client accepts.
    func format(of bitmap: Bitmap) -> RenditionFormat {
        if let format = options.format { return format }
        // AVIF takes too long for larger images.
        if accepted?.avif == true, bitmap.width * bitmap.height <= 1_000_000 { return .avif }
        if accepted?.webp == true { return .webp }
        return bitmap.hasAlpha ? .png : .jpeg
    }

    /// Encodes the image. If a lossy file would exceed `maxBytes`, lowers the quality until it fits; a file of quality
    /// 1, the lowest, may still exceed the limit. Lossless files stay as large as they are.
    func encoded(_ bitmap: Bitmap) throws(CodecError) -> (data: Data, format: RenditionFormat) {
        let format = format(of: bitmap)
        let wanted = quality(of: format)
        let data = try file(of: bitmap, format, wanted)
        guard options.maxBytes > 0, data.count > options.maxBytes, format != .png, !isLossless(format) else {
            return (data, format)
        }
        var best = try file(of: bitmap, format, 1)
        // The best quality whose file fits is at least `low` and less than `high`.
        var (low, high) = (1, wanted)
        while high - low > 1 {
            let middle = (low + high) / 2
            let data = try file(of: bitmap, format, middle)
            if data.count <= options.maxBytes { (low, best) = (middle, data) } else { high = middle }
        }
        return (best, format)
    }

    /// The format of animations: WebP if the URL names it, or names no format and the client accepts WebP; otherwise
    /// `nil`.
    var animated: EncodingFormat? {
        guard options.format == .webp || options.format == nil && accepted?.webp == true else { return nil }
        return encoder(.webp, quality(of: .webp))
    }

    private func file(
        of bitmap: Bitmap, _ format: RenditionFormat, _ quality: Int
    ) throws(CodecError) -> Data {
        let credits = options.keepsCredits ? bitmap.credits.map { EXIFBlock($0) } : nil
        return try encoder(format, quality).encode(bitmap, with: credits)
    }

    private func quality(of format: RenditionFormat) -> Int {
        options.quality > 0 ? options.quality : options.qualities[format] ?? format.defaultQuality
    }

    private func isLossless(_ format: RenditionFormat) -> Bool { format == .webp && options.isLosslessWebP }

    private func encoder(_ format: RenditionFormat, _ quality: Int) -> EncodingFormat {
        switch format {
        case .png: .png
        case .webp: options.isLosslessWebP ? .webpLossless : .webp(quality: quality)
        case .avif: .avif(quality: quality, speed: 9)
        case .jpeg:
            .jpeg(
                quality: quality, isProgressive: options.jpeg.isProgressive,
                keepsColors: options.jpeg.keepsColors ? true : nil)
        }
    }
}
