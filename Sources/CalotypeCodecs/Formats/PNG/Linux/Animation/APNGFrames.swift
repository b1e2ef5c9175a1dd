import Foundation

/// The frames of an animated PNG. Each is wrapped in a separate PNG file, which libspng decodes.
final class APNGFrames: FrameDecoder {
    let index: AnimationIndex
    private let data: Data
    private let header: ImageHeader
    private let found: APNGFrameIndex
    /// The conversion for all frames, read once: a profile may decompress to a thousand times its stored size.
    private let colors: ColorConversion?
    private let gamut: ColorGamut

    /// Returns `nil` if the file has no frames.
    init?(_ data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut) throws(CodecError) {
        let canvas = header.stored
        found = data.reading { APNGFrameIndex(ByteReader($0), canvas: canvas, limit: limits.frameScanLimit) }
        try limits.check(frameCount: found.frames.count, of: header)
        if found.frames.isEmpty { return nil }
        colors = try data.reading { (bytes) throws(CodecError) in
            try PNGColors.conversion(ByteReader(bytes), SpngReader(bytes))
        }
        (self.data, self.header, self.gamut) = (data, header, gamut)
        index = AnimationIndex(
            canvas: canvas, loopCount: found.loopCount == 0 ? nil : found.loopCount,
            frames: found.frames.map { frame in
                AnimationFrame(
                    rect: frame.rect, duration: frame.duration, disposal: frame.disposal, blends: frame.blends,
                    hasAlpha: header.hasAlpha)
            })
    }

    func pixels(of number: Int) throws(CodecError) -> Bitmap {
        let size = found.frames[number].rect.size
        var header = header
        (header.width, header.height, header.orientation, header.frameCount) = (size.width, size.height, 1, 1)
        header.hidesDefaultImage = false
        var bitmap = try PNGDecoder(checksSums: false).decode(
            data.reading { file(of: number, $0) }, header: header, scaledTo: DecodeSize(size, of: size))
        try colors?.apply(to: &bitmap, as: gamut)
        return bitmap
    }

    /// Returns a PNG file with this frame. Chunk checksums are zero: the compressed pixels contain their own checksum.
    private func file(of number: Int, _ animation: UnsafeRawBufferPointer) -> Data {
        let frame = found.frames[number]
        var file = Data(animation[..<16])
        file.append(bigEndian: frame.rect.width)
        file.append(bigEndian: frame.rect.height)
        // Every frame has the bit depth, color type, compression, filters and interlacing of the animation.
        file.append(contentsOf: animation[24..<29])
        file.append(bigEndian: 0)
        for chunk in found.shared { file.append(contentsOf: animation[chunk]) }
        for part in frame.pixels {
            file.append(bigEndian: part.count)
            file.append(bigEndian: PNGChunks.Chunk.pixels)
            file.append(contentsOf: animation[part])
            file.append(bigEndian: 0)
        }
        for value in [0, PNGChunks.Chunk.last, 0] { file.append(bigEndian: value) }
        return file
    }
}

extension Data {
    fileprivate mutating func append(bigEndian value: Int) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
