import CAvif

/// The coarseness of an AVIF's coefficients.
///
/// With libaom and below a quality of 90, details lose more than shapes do: libaom's matrix for the quality makes their steps
/// wider, and its search counts errors by the same matrix. A finer quantizer then gives the mean SSIMULACRA2 that the quality
/// has without matrices, in 2 to 8 % fewer bytes. At 90 and above matrices gain nothing.
struct AVIFQuantization {
    /// libavif's quantizer of the colors, from 0 (lossless) to 63.
    let quantizer: Int
    /// libavif's largest quantizer of alpha. Finer than that of the colors, because banding is more visible in alpha.
    let alphaQuantizer: Int
    /// The number of libaom's matrix, from 0 (steepest) to 15 (flat), or `nil` for none.
    let matrix: Int?

    /// - Parameters:
    ///   - quality: From 0 to 100.
    ///   - hasMatrices: Whether the encoder knows ``options``.
    init(quality: Int, hasMatrices: Bool) {
        alphaQuantizer = Self.quantizer(quality) / 2
        guard hasMatrices, quality < 90 else {
            (quantizer, matrix) = (Self.quantizer(quality), nil)
            return
        }
        let finer = Self.quality(withMatrices: quality)
        (quantizer, matrix) = (Self.quantizer(finer), min(max(finer / 10, 5), 10))
    }

    /// Whether libavif encodes with libaom, which alone has these matrices.
    static let hasMatrices =
        avifCodecName(AVIF_CODEC_CHOICE_AUTO, avifCodecFlags(AVIF_CODEC_FLAG_CAN_ENCODE.rawValue))
        .map { String(cString: $0) == "aom" } ?? false

    /// The names and values of libaom's options.
    var options: [(name: String, value: String)] {
        guard let matrix else { return [] }
        return [
            ("color:enable-qm", "1"), ("color:qm-min", "\(matrix)"), ("color:qm-max", "\(matrix)"),
            ("color:dist-metric", "qm-psnr"),
        ]
    }

    private static func quantizer(_ quality: Int) -> Int { ((100 - quality) * 63 + 50) / 100 }

    /// Qualities without and with matrices that have equal mean scores: measured on photographs of 400 pixels.
    private static let equals = [(0, 0), (20, 21), (35, 37), (45, 49), (60, 67), (70, 76), (80, 84), (90, 93)]

    private static func quality(withMatrices quality: Int) -> Int {
        for (low, high) in zip(equals, equals.dropFirst()) where quality <= high.0 {
            return low.1 + ((quality - low.0) * (high.1 - low.1) + (high.0 - low.0) / 2) / (high.0 - low.0)
        }
        return quality
    }
}
