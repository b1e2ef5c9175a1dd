package import Foundation
import CSpng

/// A decoder of PNG: all color types and depths, palettes, tRNS transparency, interlacing and animations.
///
/// Scales row by row while reading, so that a thumbnail needs memory for only a few rows. Interlaced files must be
/// decoded at full size first.
package struct PNGDecoder: AnimationDecoder, BriefDecoder {
    package let mediaTypes = ["image/png"]

    private var checksSums = true

    package init() {}

    /// Creates a decoder for the files of `APNGFrames`, which have no checksums, and for mutated ones.
    package init(checksSums: Bool) {
        self.checksSums = checksSums
    }

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard ByteReader(bytes).isPNG else { return nil }
            let reader = try SpngReader(bytes)
            let header = try reader.header()
            let type = header.colorType
            let hasTransparency = try reader.hasTransparency()
            var result = ImageHeader(
                format: .png, width: header.size.width, height: header.size.height,
                orientation: try reader.orientation(), hasAlpha: type.hasAlphaChannel || hasTransparency,
                isProgressive: header.interlace_method != 0, samplesPerPixel: type.samples,
                bitsPerSample: Int(header.bit_depth))
            let animation = APNGFrameIndex(ByteReader(bytes), canvas: result.stored)
            if animation.frames.count > 1 {
                result.frameCount = animation.frames.count
                result.duration = animation.duration
            }
            if !animation.frames.isEmpty, !animation.showsDefaultImage {
                result.hidesDefaultImage = true
                // The first frame need not cover the canvas, which is transparent outside it.
                result.hasAlpha = true
            }
            return result
        }
    }

    package func colors(of data: Data) -> String? {
        data.reading { bytes in
            guard let reader = try? SpngReader(bytes) else { return nil }
            if let points = PNGColors.codePoints(ByteReader(bytes)) { return points.name }
            if let profile = try? reader.profile() { return profile.name }
            return (try? reader.isMarkedSRGB()) == true ? "sRGB" : nil
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        // libspng needs two rows with up to 8 bytes per pixel. This decoder needs a third one, and one with 4 bytes per
        // pixel. Without libspng, two rows with up to 4 bytes per pixel are enough.
        let rows = 28 * header.width + InflatedPixels.workingBytes + PNGSource.workingBytes
        if header.bitsPerSample == 16, !header.hidesDefaultImage {
            let whole = header.isProgressive ? DeepPixels.bytes(header.stored) : 0
            return whole + rows + DecodePostprocessing.deepBytes(for: header, size: size)
        }
        let isWhole = header.isProgressive || header.stored(size.result) == header.stored
        let bitmaps = header.hidesDefaultImage ? 2 : isWhole ? 1 : 0
        return bitmaps * header.stored.bitmapBytes + rows + DecodePostprocessing.workingBytes(for: header, size: size)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        var finish = DecodePostprocessing(size: size, orientation: header.orientation)
        if header.hidesDefaultImage, let frame = try firstFrame(data, header, in: size.gamut) {
            // Only the whole frame at its final size shows whether it needs the gamut.
            finish.colors = .rgb(frame.gamut.colors)
            return try finish.apply(to: frame)
        }
        return try data.reading { (bytes) throws(CodecError) in
            let reader = try SpngReader(bytes, checksSums: checksSums)
            let stored = try reader.header()
            finish.colors = try PNGColors.conversion(ByteReader(bytes), reader)
            if stored.bit_depth == 16, let samples = DeepSamples(bits: 16, finish.colors, within: size.gamut) {
                return try decodeDeep(bytes, by: reader, samples, header: header, scaledTo: size)
            }
            let bitmap: Bitmap
            if header.isProgressive {
                let whole = try Bitmap(stored.size, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
                    try reader.readImage(into: pixels)
                    let rows = PixelRows(pixels, size: stored.size, stride: stride)
                    rows.forEachRow { $0.premultiplyRGBA() }
                }
                bitmap = try finish.apply(to: whole)
            } else {
                var rows = try PNGRows(reader, stored, nil)
                bitmap = try finish.bitmap(rowsOf: stored.size, hasAlpha: header.hasAlpha) {
                    (row: UnsafeMutableBufferPointer<UInt32>) throws(CodecError) in
                    try rows.read(reader, into: row)
                }
                if checksSums { try reader.checkEnd() }
            }
            // After the pixels, libspng also reports bytes that are missing behind them.
            _ = try PNGColors.conversion(ByteReader(bytes), reader)
            return bitmap
        }
    }

    private func decodeDeep(
        _ bytes: UnsafeRawBufferPointer, by reader: borrowing SpngReader, _ samples: DeepSamples, header: ImageHeader,
        scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap {
        let stored = try reader.header()
        let finish = DecodePostprocessing(size: size, orientation: header.orientation)
        let bitmap: Bitmap
        if header.isProgressive {
            // Row by row, because libspng would round an image of 16 bits before it is premultiplied.
            let whole = try DeepPixels(stored.size)
            let passes = try PNGPassRows(reader, stored, samples)
            while let place = reader.nextPassRow { try passes.read(reader, place, into: whole) }
            bitmap = try finish.bitmap(of: whole, samples, hasAlpha: header.hasAlpha)
        } else {
            var rows = try PNGRows(reader, stored, samples)
            bitmap = try finish.bitmap(
                rowsOf: stored.size, samples, hasAlpha: header.hasAlpha
            ) { (row) throws(CodecError) in
                try rows.read(reader, intoDeep: row)
            }
            if checksSums { try reader.checkEnd() }
        }
        // After the pixels, libspng also reports bytes that are missing behind them.
        _ = try PNGColors.conversion(ByteReader(bytes), reader)
        return bitmap
    }

    package func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        guard header.isAnimated else { return nil }
        return try APNGFrames(data, header: header, limits: limits, gamut: gamut)
    }

    /// Returns the first frame of an animation, drawn on its canvas, or `nil` if the file has no frames.
    private func firstFrame(
        _ data: Data, _ header: ImageHeader, in gamut: ColorGamut
    ) throws(CodecError) -> Bitmap? {
        var limits = DecodeLimits()
        limits.maxFrames = .max
        guard let frames = try APNGFrames(data, header: header, limits: limits, gamut: gamut) else { return nil }
        let frame = try frames.pixels(of: 0)
        var canvas = FrameCanvas(size: header.stored, gamut: frame.gamut)
        try canvas.draw(frames.index.frames[0], pixels: frame)
        return canvas.pixels
    }
}

/// A reader of the rows of a non-interlaced image in order.
struct PNGRows: ~Copyable {
    private let width: Int
    /// The reader that replaces libspng, or `nil`.
    private var bytes: PNGByteRows?
    /// A row of RGBA with 16 bits per channel, or empty for images with fewer bits.
    private let wide: WorkMemory
    private let samples: DeepSamples?
    private var isStarted = false

    /// - Parameter samples: The conversion of samples with 16 bits, or `nil` for images with fewer.
    init(
        _ reader: borrowing SpngReader, _ header: spng_ihdr, _ samples: DeepSamples?
    ) throws(CodecError) {
        let bytes = try PNGByteRows.reading(reader, header)
        let wide = try WorkMemory(bytes: samples == nil ? 0 : 8 * header.size.width)
        (width, self.samples) = (header.size.width, samples)
        self.bytes = bytes
        self.wide = wide
    }

    /// Reads the next row as premultiplied BGRA.
    mutating func read(
        _ reader: borrowing SpngReader, into row: UnsafeMutableBufferPointer<UInt32>
    ) throws(CodecError) {
        if bytes != nil {
            try bytes?.read(into: row)
            return
        }
        if let samples {
            let deep = DeepRow(start: wide.start.assumingMemoryBound(to: SIMD4<UInt16>.self), count: width)
            try read(reader, intoDeep: deep)
            samples.finish(deep)
            return deep.round(to: row)
        }
        if !isStarted { try reader.startRows(isWide: false) }
        isStarted = true
        try reader.readRow(into: UnsafeMutableRawBufferPointer(row))
        row.premultiplyRGBA()
    }

    /// Reads the samples of the next row of 16 bits as straight RGBA.
    mutating func read(_ reader: borrowing SpngReader, intoDeep row: DeepRow) throws(CodecError) {
        if !isStarted { try reader.startRows(isWide: true) }
        isStarted = true
        try reader.readRow(into: UnsafeMutableRawBufferPointer(row))
    }
}

extension ByteReader {
    var isPNG: Bool { uint32(at: 0) == 0x8950_4E47 && uint32(at: 4) == 0x0D0A_1A0A }
}

extension spng_ihdr {
    var size: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
    var colorType: PNGColorType { PNGColorType(rawValue: color_type) }
}

/// The color type of an IHDR chunk: bit 0 for a palette, bit 1 for color, bit 2 for alpha.
struct PNGColorType {
    let rawValue: UInt8

    var hasAlphaChannel: Bool { rawValue & 4 != 0 }
    var isGray: Bool { rawValue & 2 == 0 }

    var samples: Double {
        if rawValue & 1 != 0 { return 1 }
        return (isGray ? 1 : 3) + (hasAlphaChannel ? 1 : 0)
    }
}
