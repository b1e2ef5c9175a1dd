#if JPEGXL
    import CJPEGXL
    import Foundation

    /// An encoder of JPEG XL in the bitmap's gamut, with transparency.
    struct JPEGXLEncoder: EXIFPlacingEncoder {
        enum Compression: Hashable, Sendable {
            /// - Parameter quality: From 0 to 100; other values are clamped.
            case lossy(quality: Int)
            case lossless
        }

        var compression = Compression.lossy(quality: 75)
        /// The effort, from 1 (fastest) to 9 (smallest files).
        var effort = 7
        /// The encoder of a JPEG that the file of an opaque image holds, without a further loss. If `nil` (the default), the file
        /// holds the image.
        var jpeg: JPEGEncoder?
        /// The EXIF block of the file, or `nil` (the default) for a file without one.
        var exif: EXIFBlock?

        var format: ImageFormat { .jpegXL }

        func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
            let writer = try JPEGXLWriter()
            if let jpeg, bitmap.isOpaque {
                try writer.add(jpeg: EncodingFormat(jpeg).encode(bitmap.declaring(gainMap: nil), with: exif))
                return try writer.finish()
            }
            try writer.start(bitmap, isLossless: compression == .lossless)
            if let exif { try writer.add(exif) }
            try writer.add(bitmap, distance: distance, effort: min(max(effort, 1), 9))
            return try writer.finish()
        }

        /// The largest visible difference that libjxl aims at, where 1 is hardly seen; 0 for none. The quality counts as in
        /// libjxl's programs, except that 100 is lossy, too.
        private var distance: Float {
            guard case .lossy(let wanted) = compression else { return 0 }
            let quality = Float(percent(wanted))
            guard quality < 30 else { return 0.1 + (100 - quality) * 0.09 }
            return min(53.0 / 3000 * quality * quality - 23.0 / 20 * quality + 25, 15)
        }
    }
#endif
