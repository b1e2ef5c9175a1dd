import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import Foundation

/// The required similarity between a written image and its pixels before encoding.
struct QualityTarget: Hashable, Sendable, CustomStringConvertible {
    enum Measure: String, Sendable {
        case ssimulacra2, ssim, psnr

        var range: ClosedRange<Double> {
            switch self {
            case .ssimulacra2: 10...95
            case .ssim: 0.1...0.9999
            case .psnr: 10...80
            }
        }

        /// The digits after the point that matter.
        var digits: Int { self == .ssim ? 4 : 2 }

        /// Returns the value among two measurements of images, of which only the one that has it is made; `nil` without it.
        func value(_ score: @autoclosure () -> Double?, _ comparison: @autoclosure () -> ImageComparison?) -> Double? {
            switch self {
            case .ssimulacra2: score()
            case .ssim: comparison()?.similarity
            case .psnr: comparison()?.signalToNoise
            }
        }
    }

    let measure: Measure
    let limit: Double

    /// Parses "ssimulacra2=75", "ssim=0.98" or "psnr=40"; `nil` for other texts.
    init?(_ text: String) {
        let parts = text.lowercased().split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let measure = Measure(rawValue: parts[0]), let limit = Double(parts[1]) else {
            return nil
        }
        guard measure.range.contains(limit) else { return nil }
        (self.measure, self.limit) = (measure, limit)
    }

    init?(_ option: Option, _ arguments: Arguments) throws(UsageError) {
        let wanted = "a target such as ssimulacra2=75 (10 to 95), ssim=0.98 (0.1 to 0.9999) or psnr=40 (10 to 80)"
        guard let target = try arguments.value(option, wanted: wanted, QualityTarget.init) else { return nil }
        self = target
    }

    var description: String { "\(measure.rawValue)=\(limit)" }
}

struct EncodedImage: Sendable {
    let data: Data
    /// The chosen quality, from 1 to 100; `nil` without a search.
    var quality: Int?
    var measured: Double?
}

extension Recipe {
    /// Encodes at the requested quality, or at the lowest quality that reaches the target. PNG ignores the target.
    /// Blocks the calling thread.
    ///
    /// - Parameter cancellation: Ends the search between two attempts.
    /// - Throws: `encodingFailed` if no quality reaches the target.
    func encoded(
        _ bitmap: Bitmap, as format: FileFormat, with exif: EXIFBlock?, _ cancellation: Cancellation
    ) throws(CodecError) -> EncodedImage {
        guard let qualityTarget, format != .png else {
            return EncodedImage(data: try encoding(format).encode(bitmap, with: exif))
        }
        let shown = try bitmap.converted(to: .sRGB)
        let reference = PerceptualSimilarity.Reference(shown)
        var best: EncodedImage?
        var nearest = -Double.infinity
        var range = 1...100
        while true {
            if cancellation.isCancelled { throw .cancelled }
            let quality = (range.lowerBound + range.upperBound) / 2
            let attempt = try attempt(bitmap, format, quality: quality, exif) {
                qualityTarget.measure.value(reference.score(of: $0), ImageComparison(shown, $0))
            }
            nearest = max(nearest, attempt.measured ?? nearest)
            if attempt.measured ?? 0 >= qualityTarget.limit {
                best = attempt
                if quality == range.lowerBound { break }
                range = range.lowerBound...quality - 1
            } else {
                if quality == range.upperBound { break }
                range = quality + 1...range.upperBound
            }
        }
        guard let best else {
            let reached = String(format: "%.4f", nearest)
            throw CodecError(
                .encodingFailed, "no quality reaches \(qualityTarget); the best is \(qualityTarget.measure) \(reached)")
        }
        return best
    }

    private func attempt(
        _ bitmap: Bitmap, _ format: FileFormat, quality: Int, _ exif: EXIFBlock?,
        measuredBy measure: (Bitmap) -> Double?
    ) throws(CodecError) -> EncodedImage {
        let data = try encoding(format, quality: quality).encode(bitmap, with: exif)
        var limits = DecodeLimits()
        limits.maxBitmapBytes = nil
        let decoded = try DecoderRegistry.standard.decode(data, limits: limits)
        guard let measured = measure(decoded) else {
            throw CodecError(.encodingFailed, "encoding changed the image's size")
        }
        return EncodedImage(data: data, quality: quality, measured: measured)
    }
}
