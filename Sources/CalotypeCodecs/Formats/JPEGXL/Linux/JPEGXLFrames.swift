#if JPEGXL
    import Foundation

    /// The frames of an animated JPEG XL. libjxl draws each whole, over the frames before it.
    ///
    /// A jump skips the frames on which no later one depends. A jump back starts at the first frame again.
    final class JPEGXLFrames: FrameDecoder {
        let index: AnimationIndex
        private let data: Data
        private let header: ImageHeader
        private let reader: JPEGXLReader
        private let gamut: ColorGamut
        /// The conversion to the gamut, known once the reader has started.
        private var colors: ColorConversion?
        /// The offset in the file at which the reader continues.
        private var offset = 0
        /// The number of the frame before which the reader is; `nil` if it has to start at the first frame.
        private var next: Int?

        init(_ data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut) throws(CodecError) {
            let (durations, loopCount) = try data.reading { (bytes) throws(CodecError) in
                try JPEGXLReader(bytes).frameIndex(limit: limits.frameScanLimit)
            }
            try limits.check(frameCount: durations.count, of: header)
            let canvas = PixelRect(x: 0, y: 0, width: header.width, height: header.height)
            let frames = durations.map {
                AnimationFrame(rect: canvas, duration: $0, blends: false, hasAlpha: header.hasAlpha)
            }
            index = AnimationIndex(canvas: header.stored, loopCount: loopCount, frames: frames)
            (self.data, self.header, self.gamut) = (data, header, gamut)
            reader = try JPEGXLReader()
        }

        func pixels(of number: Int) throws(CodecError) -> Bitmap {
            do throws(CodecError) {
                return try decode(number)
            } catch {
                // Only now does libjxl find the end of the last frame. If it is missing, the frame before it stays visible.
                let isLast = number > 0 && number == index.frames.count - 1
                let staysBefore = isLast && reader.isCutShort
                next = nil
                guard staysBefore else { throw error }
                return try decode(number - 1)
            }
        }

        private func decode(_ number: Int) throws(CodecError) -> Bitmap {
            try data.reading { (file) throws(CodecError) in
                if next.map({ $0 > number }) ?? true { startAgain() }
                try reader.feed(UnsafeRawBufferPointer(rebasing: file[offset...]))
                defer { offset = file.count - reader.release() }
                if next == nil { colors = try reader.start(header, within: gamut) }
                reader.skip(number - (next ?? 0))
                var bitmap = try reader.frame(header)
                next = number + 1
                try colors?.apply(to: &bitmap, as: gamut)
                return bitmap
            }
        }

        private func startAgain() {
            reader.rewind()
            (offset, next) = (0, nil)
        }
    }
#endif
