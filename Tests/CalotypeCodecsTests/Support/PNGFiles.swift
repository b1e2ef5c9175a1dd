import CSpng
import CalotypeCodecs
import Foundation
import Testing

/// A PNG written by libspng in any of the format's variants.
struct PNGFile {
    var width: Int
    var height: Int
    var colorType: spng_color_type
    var bitDepth: UInt8 = 8
    var isInterlaced = false
    var palette: [(red: UInt8, green: UInt8, blue: UInt8)] = []
    /// The alpha values of the palette's first entries.
    var paletteAlpha: [UInt8] = []
    /// The transparent color of the types without a palette; for grayscale, in `red`.
    var transparentColor: (red: UInt16, green: UInt16, blue: UInt16)?
    var profile: Data?
    var exif: Data?
    var isMarkedSRGB = false

    /// - Parameter samples: Rows in the format's layout, 16-bit samples in the machine's byte order.
    func encoded(_ samples: [UInt8]) throws -> Data {
        let context = try #require(spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)))
        defer { spng_ctx_free(context) }
        spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
        var header = spng_ihdr(
            width: UInt32(width), height: UInt32(height), bit_depth: bitDepth, color_type: UInt8(colorType.rawValue),
            compression_method: 0, filter_method: 0, interlace_method: isInterlaced ? 1 : 0)
        try #require(spng_set_ihdr(context, &header) == 0)
        try setPalette(context)
        try setTransparency(context)
        if isMarkedSRGB { try #require(spng_set_srgb(context, 0) == 0) }
        var profileBytes = (profile ?? Data()).map { CChar(bitPattern: $0) }
        var exifBytes = (exif ?? Data()).map { CChar(bitPattern: $0) }
        return try profileBytes.withUnsafeMutableBufferPointer { profileBytes in
            try exifBytes.withUnsafeMutableBufferPointer { exifBytes in
                try setBlocks(context, profileBytes, exifBytes)
                let status = samples.withUnsafeBytes {
                    spng_encode_image(
                        context, $0.baseAddress, $0.count, Int32(SPNG_FMT_PNG.rawValue),
                        Int32(SPNG_ENCODE_FINALIZE.rawValue))
                }
                try #require(status == 0, "\(String(cString: spng_strerror(status)))")
                var count = 0
                var error: Int32 = 0
                let png = try #require(spng_get_png_buffer(context, &count, &error))
                return Data(bytesNoCopy: png, count: count, deallocator: .free)
            }
        }
    }

    private func setPalette(_ context: OpaquePointer) throws {
        guard !palette.isEmpty else { return }
        var chunk = spng_plte()
        chunk.n_entries = UInt32(palette.count)
        withUnsafeMutableBytes(of: &chunk.entries) { bytes in
            let entries = bytes.assumingMemoryBound(to: spng_plte_entry.self)
            for (index, color) in palette.enumerated() {
                entries[index] = spng_plte_entry(red: color.red, green: color.green, blue: color.blue, alpha: 255)
            }
        }
        try #require(spng_set_plte(context, &chunk) == 0)
    }

    private func setTransparency(_ context: OpaquePointer) throws {
        var chunk = spng_trns()
        if let transparentColor {
            chunk.gray = transparentColor.red
            (chunk.red, chunk.green, chunk.blue) = transparentColor
        } else if !paletteAlpha.isEmpty {
            chunk.n_type3_entries = UInt32(paletteAlpha.count)
            withUnsafeMutableBytes(of: &chunk.type3_alpha) { $0.copyBytes(from: paletteAlpha) }
        } else {
            return
        }
        try #require(spng_set_trns(context, &chunk) == 0)
    }

    private func setBlocks(
        _ context: OpaquePointer, _ profile: UnsafeMutableBufferPointer<CChar>,
        _ exif: UnsafeMutableBufferPointer<CChar>
    ) throws {
        if !profile.isEmpty {
            var chunk = spng_iccp()
            withUnsafeMutableBytes(of: &chunk.profile_name) { $0.copyBytes(from: Array("profile\0".utf8)) }
            chunk.profile_len = profile.count
            chunk.profile = profile.baseAddress
            try #require(spng_set_iccp(context, &chunk) == 0)
        }
        if !exif.isEmpty {
            var chunk = spng_exif(length: exif.count, data: exif.baseAddress)
            try #require(spng_set_exif(context, &chunk) == 0)
        }
    }
}

extension PNGFile {
    /// Returns a chunk: length, name, content and checksum.
    static func chunk(_ name: String, _ content: Data) -> Data {
        let body = Data(name.utf8) + content
        return Data().bigEndian(content.count, bytes: 4) + body + Data().bigEndian(Int(crc32(body)), bytes: 4)
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in data {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}

extension Data {
    /// Returns this PNG with more chunks after its IHDR.
    func addingPNGChunks(_ chunks: [(name: String, content: Data)]) -> Data {
        let headEnd = 8 + 25
        return prefix(headEnd) + chunks.reduce(Data()) { $0 + PNGFile.chunk($1.name, $1.content) } + dropFirst(headEnd)
    }
}
