import Foundation

/// The frames of an AVIF sequence. Each covers the whole canvas, and may depend on earlier frames.
final class AVIFFrames: FrameDecoder {
    let index: AnimationIndex
    private let area: PixelRect
    private let hasAlpha: Bool
    private let colors: ColorConversion?
    private let file: FileMemory
    private let reader: AVIFReader

    /// Returns `nil` if the file has no frames.
    init?(_ data: Data, header: ImageHeader, limits: DecodeLimits) throws(CodecError) {
        file = try FileMemory(data)
        reader = try AVIFReader(file.bytes)
        try limits.check(frameCount: reader.frameCount, of: header)
        (area, hasAlpha, colors) = (reader.area, reader.hasAlpha, reader.colors)
        var frames: [AnimationFrame] = []
        for number in 0..<reader.frameCount {
            let rect = PixelRect(x: 0, y: 0, width: area.width, height: area.height)
            let duration = reader.duration(of: number)
            frames.append(AnimationFrame(rect: rect, duration: duration, blends: false, hasAlpha: hasAlpha))
        }
        if frames.isEmpty { return nil }
        // libavif 0.11 does not read the repetition count, and browsers repeat forever.
        index = AnimationIndex(canvas: area.size, loopCount: nil, frames: frames)
    }

    func pixels(of number: Int) throws(CodecError) -> Bitmap {
        var bitmap = try Bitmap(width: area.width, height: area.height, hasAlpha: hasAlpha) {
            (pixels, stride) throws(CodecError) in
            try reader.decode(frame: number, area, into: pixels, stride: stride)
        }
        try colors?.apply(to: &bitmap)
        return bitmap
    }
}

/// A copy of a file at a stable address, for a library that keeps pointers into it.
private final class FileMemory {
    private let memory: WorkMemory
    let bytes: UnsafeRawBufferPointer

    init(_ data: Data) throws(CodecError) {
        let memory = try WorkMemory(bytes: data.count)
        let target = UnsafeMutableRawBufferPointer(start: memory.start, count: data.count)
        data.copyBytes(to: target)
        bytes = UnsafeRawBufferPointer(target)
        self.memory = memory
    }
}
