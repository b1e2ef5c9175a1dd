import CSpng
import Foundation

/// An encoder of PNG with 8 bits per channel: RGB for opaque bitmaps, RGBA otherwise.
struct PNGEncoder: ImageEncoder {
    var format: ImageFormat { .png }

    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let writer = try SpngWriter()
        try writer.start(bitmap)
        let samples = bitmap.hasAlpha ? 4 : 3
        let row = UnsafeMutableRawBufferPointer.allocate(byteCount: bitmap.width * samples, alignment: 4)
        defer { row.deallocate() }
        try bitmap.withUnsafeBytes { (pixels) throws(CodecError) in
            for y in 0..<bitmap.height {
                let source = UnsafeRawBufferPointer(rebasing: pixels[(y * bitmap.stride)...].prefix(4 * bitmap.width))
                    .assumingMemoryBound(to: UInt32.self)
                if bitmap.hasAlpha {
                    let target = row.assumingMemoryBound(to: UInt32.self)
                    source.unpremultiply(into: target)
                    target.swapRedAndBlue()
                } else {
                    source.writeRGB(to: row)
                }
                try writer.write(UnsafeRawBufferPointer(row))
            }
        }
        return try writer.finish()
    }
}

extension UnsafeBufferPointer<UInt32> {
    fileprivate func writeRGB(to row: UnsafeMutableRawBufferPointer) {
        for x in indices {
            row[3 * x] = UInt8(truncatingIfNeeded: self[x] >> 16)
            row[3 * x + 1] = UInt8(truncatingIfNeeded: self[x] >> 8)
            row[3 * x + 2] = UInt8(truncatingIfNeeded: self[x])
        }
    }
}

private struct SpngWriter: ~Copyable {
    private let context: OpaquePointer

    init() throws(CodecError) {
        guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
            throw CodecError(.encodingFailed, "no memory for a PNG encoder")
        }
        self.context = context
    }

    deinit { spng_ctx_free(context) }

    func start(_ bitmap: Bitmap) throws(CodecError) {
        let type = bitmap.hasAlpha ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR
        var header = spng_ihdr(
            width: UInt32(bitmap.width), height: UInt32(bitmap.height), bit_depth: 8, color_type: UInt8(type.rawValue),
            compression_method: 0, filter_method: 0, interlace_method: 0)
        try Self.check(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
        try Self.check(spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, 6))
        try Self.check(spng_set_ihdr(context, &header))
        try Self.check(spng_set_srgb(context, 0))
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        try Self.check(spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), Int32(flags)))
    }

    func write(_ row: UnsafeRawBufferPointer) throws(CodecError) {
        let status = spng_encode_row(context, row.baseAddress, row.count)
        // For the last row libspng returns SPNG_EOI instead of success.
        if status != Int32(SPNG_EOI.rawValue) { try Self.check(status) }
    }

    func finish() throws(CodecError) -> Data {
        var count = 0
        var status: Int32 = 0
        guard let png = spng_get_png_buffer(context, &count, &status) else {
            try Self.check(status)
            throw CodecError(.encodingFailed, "PNG: nothing was written")
        }
        return Data(bytesNoCopy: png, count: count, deallocator: .free)
    }

    private static func check(_ status: Int32) throws(CodecError) {
        guard status != 0 else { return }
        throw CodecError(.encodingFailed, "PNG: \(String(cString: spng_strerror(status)))")
    }
}
