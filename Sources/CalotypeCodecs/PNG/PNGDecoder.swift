package import Foundation
import CSpng

/// PNG: every colour type and depth, palettes and simple transparency, interlaced or not; of an animation the default
/// picture.
///
/// Decoded at full size and shrunk afterwards: the format allows nothing else.
package struct PNGDecoder: ImageDecoder {
    package let mediaTypes = ["image/png"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard ByteReader(bytes).isPNG else { return nil }
            let reader = try SpngReader(bytes)
            let header = try reader.header()
            let type = PNGColorType(rawValue: header.color_type)
            let hasTransparency = try reader.hasTransparency()
            return ImageHeader(
                format: .png, width: Int(header.width), height: Int(header.height),
                orientation: try reader.orientation(),
                hasAlpha: type.hasAlphaChannel || hasTransparency,
                samplesPerPixel: type.samples)
        }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        // The codec holds two rows of up to 8 bytes a pixel, we one more.
        header.stored.bitmapBytes + 24 * header.width
            + Finish.workingBytes(for: header, decoded: header.stored, size: size)
    }

    package func decode(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            let reader = try SpngReader(bytes)
            let stored = try reader.header()
            let profile = try reader.profile()
            let bitmap = try read(reader, stored, hasAlpha: header.hasAlpha)
            let colors = ColorConversion.rgb(profile, isGray: PNGColorType(rawValue: stored.color_type).isGray)
            return try Finish(size: size, orientation: header.orientation, colors: colors).apply(to: bitmap)
        }
    }

    private func read(
        _ reader: borrowing SpngReader, _ header: spng_ihdr, hasAlpha: Bool
    ) throws(CodecError) -> Bitmap {
        let (width, height) = (Int(header.width), Int(header.height))
        let isInterlaced = header.interlace_method != 0
        return try Bitmap(width: width, height: height, hasAlpha: hasAlpha) { (pixels, stride) throws(CodecError) in
            let rows = PixelRows(pixels, width: width, height: height, stride: stride)
            if isInterlaced {
                try reader.readImage(into: pixels)
                rows.forEachRow { $0.premultiplyRGBA() }
            } else if header.bit_depth == 16 {
                try readWide(reader, into: rows)
            } else {
                try readRows(reader, into: rows)
            }
        }
    }

    private func readRows(_ reader: borrowing SpngReader, into rows: PixelRows) throws(CodecError) {
        try reader.startRows(.eight)
        for index in 0..<rows.height {
            let row = rows.row(index)
            try reader.readRow(into: UnsafeMutableRawBufferPointer(row))
            row.premultiplyRGBA()
        }
    }

    /// Rounds 16 bits to 8 after premultiplying, so that nothing is rounded twice.
    private func readWide(_ reader: borrowing SpngReader, into rows: PixelRows) throws(CodecError) {
        try reader.startRows(.sixteen)
        let wide = UnsafeMutableBufferPointer<SIMD4<UInt16>>.allocate(capacity: rows.width)
        defer { wide.deallocate() }
        for index in 0..<rows.height {
            try reader.readRow(into: UnsafeMutableRawBufferPointer(wide))
            rows.row(index).setPremultiplied(wide)
        }
    }
}

extension ByteReader {
    fileprivate var isPNG: Bool { uint32(at: 0) == 0x8950_4E47 && uint32(at: 4) == 0x0D0A_1A0A }
}

/// The colour type of an IHDR chunk: three bits.
private struct PNGColorType {
    let rawValue: UInt8

    var hasAlphaChannel: Bool { rawValue & 4 != 0 }
    var isGray: Bool { rawValue & 2 == 0 }

    var samples: Double {
        if rawValue & 1 != 0 { return 1 }
        return (isGray ? 1 : 3) + (hasAlphaChannel ? 1 : 0)
    }
}
