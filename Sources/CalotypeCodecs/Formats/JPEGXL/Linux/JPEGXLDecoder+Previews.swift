#if JPEGXL
    import CJPEGXL
    import Foundation

    extension JPEGXLDecoder: SeparatePreviewDecoder {
        func mayHavePreviews(_ header: ImageHeader) -> Bool { header.mayHaveJPEGXLPreviews }

        func preview(
            of data: Data, header: ImageHeader, scaledTo size: DecodeSize
        ) throws(CodecError) -> ImagePreview? {
            try data.reading { (bytes) throws(CodecError) in
                guard let part = try JPEGXLReader().part(of: bytes, header) else { return nil }
                let (stored, step) = (header.stored, part.step)
                let bitmap = try DecodePostprocessing(size: size, colors: part.colors).apply(to: part.bitmap)
                return ImagePreview(
                    bitmap: bitmap,
                    detail: PixelSize(
                        width: (stored.width + step - 1) / step, height: (stored.height + step - 1) / step))
            }
        }
    }

    extension JPEGXLReader {
        /// A coarse image. One of `step` pixels in a row or a column has been decoded, or more.
        typealias Part = (bitmap: Bitmap, colors: ColorConversion?, step: Int)

        /// Decodes what has arrived of a still image. Returns `nil` before the whole image is there at an eighth.
        ///
        /// - Throws: `unsupported` if libjxl knows no step before the whole image: it is lossless, of one part, or its layers
        ///   are blended.
        fileprivate func part(of bytes: UnsafeRawBufferPointer, _ header: ImageHeader) throws(CodecError) -> Part? {
            try feed(bytes)
            try check(JxlDecoderSetProgressiveDetail(decoder, kPasses))
            let colors = try start(header, JXL_DEC_FRAME_PROGRESSION)
            switch JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: break
            case JXL_DEC_NEED_MORE_INPUT: return nil
            default: throw Self.damaged
            }
            var step: Int?
            let bitmap = try bitmap(header) { () throws(CodecError) in step = try drawPart() }
            return step.map { (bitmap, colors, $0) }
        }

        /// Draws the image in the steps of its frame that have arrived. Returns the last step, or `nil` before the first.
        private func drawPart() throws(CodecError) -> Int? {
            var step: Int?
            while true {
                switch JxlDecoderProcessInput(decoder) {
                case JXL_DEC_FRAME_PROGRESSION: step = min(max(JxlDecoderGetIntendedDownsamplingRatio(decoder), 1), 8)
                case JXL_DEC_FULL_IMAGE: return 1
                case JXL_DEC_NEED_MORE_INPUT:
                    let isDrawn = JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS
                    // Without a step, libjxl draws the parts of the image that have not arrived in black.
                    guard isDrawn == (step != nil) else {
                        throw CodecError(.unsupported, "JPEG XL without coarser steps")
                    }
                    return step
                default: throw Self.damaged
                }
            }
        }
    }
#endif
