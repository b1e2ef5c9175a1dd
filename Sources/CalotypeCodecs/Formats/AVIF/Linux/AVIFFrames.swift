import Foundation

/// The frames of an AVIF sequence. Each covers the whole canvas, and may depend on earlier frames.
final class AVIFFrames: FrameDecoder {
    let index: AnimationIndex
    private let area: PixelRect
    private let hasAlpha: Bool
    /// The conversion of samples of more than 8 bits.
    private let samples: DeepSamples?
    /// The conversion to the gamut that remains.
    private let colors: ColorConversion?
    private let gamut: ColorGamut
    /// A copy of the file at a stable address, because libavif keeps pointers into it.
    private let file: WorkMemory
    private let reader: AVIFReader

    /// Returns `nil` if the file has no frames.
    init?(_ data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut) throws(CodecError) {
        file = try WorkMemory(bytes: data.count)
        data.copyBytes(to: file.bytes, count: data.count)
        reader = try AVIFReader(UnsafeRawBufferPointer(start: file.start, count: data.count))
        try limits.check(frameCount: reader.frameCount, of: header)
        (area, hasAlpha, self.gamut) = (reader.area, reader.hasAlpha, gamut)
        samples = DeepSamples(bits: reader.bitsPerSample, reader.colors, within: gamut)
        colors = samples.map(\.colors) ?? reader.colors
        let rect = PixelRect(x: 0, y: 0, width: area.width, height: area.height)
        var frames: [AnimationFrame] = []
        for number in 0..<reader.frameCount {
            let duration = reader.duration(of: number)
            frames.append(AnimationFrame(rect: rect, duration: duration, blends: false, hasAlpha: hasAlpha))
        }
        if frames.isEmpty { return nil }
        index = AnimationIndex(canvas: area.size, loopCount: reader.loopCount, frames: frames)
    }

    func pixels(of number: Int) throws(CodecError) -> Bitmap {
        var bitmap = try Bitmap(area.size, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
            try reader.decode(frame: number)
            guard let samples else { return try reader.read(area, into: pixels, stride: stride) }
            let target = PixelRows(pixels, size: area.size, stride: stride)
            var rows = try AVIFDeepRows(area, for: area.size)
            let row = try DeepPixels(width: area.width)
            for y in 0..<area.height {
                try rows.read(reader, into: row.row(0))
                samples.finish(row.row(0))
                row.row(0).round(to: target.row(y))
            }
        }
        try colors?.apply(to: &bitmap, as: gamut)
        return bitmap
    }
}
