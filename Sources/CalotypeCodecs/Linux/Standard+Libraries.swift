extension DecoderRegistry {
    /// The decoders of JPEG, PNG, WebP, AVIF, GIF, QOI, BMP, ICO, TGA and PNM, and of the formats of the enabled package
    /// traits. Where `calotype-decoder-formats` is installed, also those of the other traits.
    ///
    /// Formats of traits are decoded in worker processes, which need `calotype-decoder` (see ``DecoderWorkers``). A
    /// loader's `isolation` changes this.
    public static let standard = DecoderRegistry(
        StandardDecoder.all.map { standard in
            standard.isRisky ? IsolatedDecoder(standard: standard, workers: .shared) : standard.decoder
        })
}

/// With `keepsCredits`, a loader copies the tags Artist and Copyright from the source's EXIF block to the file. Nothing
/// else is copied, so that the file has no GPS position. `ImageLoader.data(for:encodedAs:)` then decodes the original
/// each time, because cached images have no credits. In `Bitmap.encoded(as:)` it has no effect.
extension EncodingFormat {
    /// JPEG. Transparent pixels are blended with white.
    ///
    /// - Parameters:
    ///   - quality: From 0 to 100; other values are clamped. The default is 80. At 90 and above, colors keep their full
    ///     resolution, and below in drawings and text that would lose too much.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    public static func jpeg(quality: Int = 80, keepsCredits: Bool = false) -> EncodingFormat {
        EncodingFormat(JPEGEncoder(quality: quality), keepsCredits: keepsCredits)
    }

    /// JPEG with coding options. Transparent pixels are blended with white.
    ///
    /// - Parameters:
    ///   - isProgressive: Whether to store the image in scans of increasing detail. The file is smaller, but slower
    ///     to decode.
    ///   - keepsColors: Whether colors keep their full resolution (4:4:4), for text and drawings. If `nil` (the
    ///     default), they do for a quality of 90 or above, and in images that would lose too much.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    ///   - hasProfile: Whether the file contains the sRGB profile, of 588 bytes. Without a profile (the default), readers
    ///     assume sRGB.
    public static func jpeg(
        quality: Int = 80, isProgressive: Bool, keepsColors: Bool? = nil, keepsCredits: Bool = false,
        hasProfile: Bool = false
    ) -> EncodingFormat {
        EncodingFormat(
            JPEGEncoder(
                quality: quality, isProgressive: isProgressive, keepsColors: keepsColors, hasProfile: hasProfile),
            keepsCredits: keepsCredits)
    }

    /// Lossless PNG with 8 bits per channel.
    public static let png = EncodingFormat(PNGEncoder())

    /// PNG with 8 bits per channel, interlaced or in few colors.
    ///
    /// - Parameters:
    ///   - isInterlaced: Whether decoders show the whole image coarsely before the file is complete. Takes more bytes.
    ///   - colorLimit: The largest number of colors, from 2 to 256, for images that keep their look with so few; `nil` for all.
    package static func png(isInterlaced: Bool, colorLimit: Int?) -> EncodingFormat {
        EncodingFormat(PNGEncoder(colorLimit: colorLimit.map { min(max($0, 2), 256) }, isInterlaced: isInterlaced))
    }

    /// Lossy WebP with transparency.
    ///
    /// - Parameters:
    ///   - quality: From 0 to 100; other values are clamped. The default is 80.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    public static func webp(quality: Int = 80, keepsCredits: Bool = false) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality)), keepsCredits: keepsCredits)
    }

    /// Lossy WebP with transparency, encoded faster or to smaller files than by default.
    ///
    /// - Parameters:
    ///   - effort: From 0 (fastest) to 6 (smallest files); other values are clamped. Without it, the effort is 4.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    public static func webp(quality: Int = 80, effort: Int, keepsCredits: Bool = false) -> EncodingFormat {
        EncodingFormat(WebPEncoder(compression: .lossy(quality: quality), effort: effort), keepsCredits: keepsCredits)
    }

    /// Lossy AVIF with transparency: smaller than WebP, and much slower.
    ///
    /// - Parameters:
    ///   - quality: From 0 to 100; other values are clamped. The default is 60. At 90 and above, colors keep their full
    ///     resolution.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    public static func avif(quality: Int = 60, keepsCredits: Bool = false) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality), keepsCredits: keepsCredits)
    }

    /// Lossy AVIF with transparency, encoded faster or to smaller files than by default.
    ///
    /// - Parameters:
    ///   - speed: From 0 (smallest files) to 10 (fastest); other values are clamped. Without it, the speed is 6; 9 takes
    ///     about an eighth of the time of 6.
    ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
    public static func avif(quality: Int = 60, speed: Int, keepsCredits: Bool = false) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality, speed: speed), keepsCredits: keepsCredits)
    }

    /// WebP for drawings and text: with sharp colors, or with nothing lost that anybody sees if `quality` is `nil`.
    package static func webp(ofGraphic quality: Int?) -> EncodingFormat {
        EncodingFormat(
            quality.map { WebPEncoder(compression: .lossy(quality: $0), isSharp: true) }
                ?? WebPEncoder(compression: .nearLossless))
    }

    /// AVIF for drawings and text: with colors of full resolution.
    package static func avif(ofGraphic quality: Int, speed: Int) -> EncodingFormat {
        EncodingFormat(AVIFEncoder(quality: quality, speed: speed, keepsColors: true))
    }

    /// Lossless WebP; smaller than PNG, and slower.
    public static let webpLossless = EncodingFormat(WebPEncoder(compression: .lossless))

    #if JPEGXL
        /// Lossy JPEG XL with transparency: smaller than WebP, and slower. Needs the package trait JPEGXL.
        ///
        /// - Parameters:
        ///   - quality: From 0 to 100; other values are clamped. The default is 75.
        ///   - effort: From 1 (fastest) to 9 (smallest files); other values are clamped. The default is 7; 4 takes about a
        ///     third of its time.
        ///   - keepsCredits: Whether a loader copies Artist and Copyright from the source. The default is `false`.
        public static func jpegXL(quality: Int = 75, effort: Int = 7, keepsCredits: Bool = false) -> EncodingFormat {
            let encoder = JPEGXLEncoder(compression: .lossy(quality: quality), effort: effort)
            return EncodingFormat(encoder, keepsCredits: keepsCredits)
        }

        /// JPEG XL of an opaque image's JPEG of the same quality, without a further loss. Needs the package trait JPEGXL.
        package static func jpegXL(ofJPEG quality: Int, keepsColors: Bool?, effort: Int) -> EncodingFormat {
            let jpeg = JPEGEncoder(quality: quality, keepsColors: keepsColors)
            return EncodingFormat(JPEGXLEncoder(compression: .lossy(quality: quality), effort: effort, jpeg: jpeg))
        }

        /// Lossless JPEG XL; smaller than lossless WebP, and slower. Needs the package trait JPEGXL.
        public static let jpegXLLossless = EncodingFormat(JPEGXLEncoder(compression: .lossless))
    #endif

    private init(_ encoder: any ImageEncoder, keepsCredits: Bool) {
        self.init(encoder)
        self.keepsCredits = keepsCredits
    }
}

extension MissingFormat {
    static func remedy(trait: String) -> String {
        ": the package trait \(trait) adds it (build with --traits \(trait))"
    }

    /// Returns what adds reading the format, also without a build.
    static func readingRemedy(trait: String) -> String {
        ": the Debian package calotype-formats adds it, or the package trait \(trait) (build with --traits \(trait))"
    }
}
