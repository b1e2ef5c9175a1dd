import CSpng
public import Foundation

/// A PNG as libspng reads it alone, with zlib: the measure of the decoder, which inflates otherwise.
public struct SpngReference {
    public private(set) var width = 0
    public private(set) var height = 0
    /// The rows as straight RGBA with 8 bits per channel, one after the other. Pixels that are missing are 0.
    public private(set) var pixels: [UInt8] = []
    /// The number of rows that are read, of all passes together.
    public private(set) var rowCount = 0
    /// The error that ended the reading, in libspng's words, or `nil` for a whole image.
    public private(set) var failure: String?

    /// - Parameter checksSums: Whether a wrong checksum of a chunk or of the pixels is an error.
    public init(_ png: Data, checksSums: Bool = true) {
        guard let context = spng_ctx_new(0) else {
            failure = "no memory"
            return
        }
        defer { spng_ctx_free(context) }
        let wrong = checksSums ? SPNG_CRC_ERROR : SPNG_CRC_USE
        spng_set_crc_action(context, Int32(wrong.rawValue), Int32(SPNG_CRC_DISCARD.rawValue))
        let status = png.withUnsafeBytes { bytes in
            spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
            return read(context)
        }
        if status != 0 { failure = String(cString: spng_strerror(status)) }
    }

    private mutating func read(_ context: OpaquePointer) -> Int32 {
        var header = spng_ihdr()
        var status = spng_get_ihdr(context, &header)
        guard status == 0 else { return status }
        guard header.width <= 4096, header.height <= 4096 else { return SPNG_EINVAL.rawValue }
        (width, height) = (Int(header.width), Int(header.height))
        pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let flags = Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue)
        status = spng_decode_image(context, nil, 0, Int32(SPNG_FMT_RGBA8.rawValue), flags)
        guard status == 0 else { return status }
        var place = spng_row_info()
        while spng_get_row_info(context, &place) == 0 {
            let start = 4 * width * Int(place.row_num)
            status = pixels.withUnsafeMutableBytes { pixels in
                // As the image's row, so that the pixels of earlier passes stay.
                spng_decode_row(context, pixels.baseAddress?.advanced(by: start), 4 * width)
            }
            guard status == 0 || status == SPNG_EOI.rawValue else { return status }
            rowCount += 1
        }
        return spng_decode_chunks(context)
    }
}
