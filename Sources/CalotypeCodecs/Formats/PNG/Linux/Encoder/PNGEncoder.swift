import CSpng
import Foundation

/// An encoder of PNG with 8 bits per channel, in the smallest layout that loses nothing, and with the filters that suit the image:
/// see ``PNGLayout`` and ``PNGCompression``.
struct PNGEncoder: GamutEncoder {
    /// The largest number of colors, from 2 to 256, for images that keep their look with so few and get smaller by it; `nil`
    /// (the default) for all.
    var colorLimit: Int?
    /// Whether decoders show the whole image coarsely before the file is complete. Takes more bytes.
    var isInterlaced = false

    var format: ImageFormat { .png }

    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let whole = try file(of: bitmap)
        guard let colorLimit, let few = try bitmap.quantized(to: colorLimit) else { return whole }
        // Error diffusion may cost more than the palette saves.
        let smaller = try file(of: few)
        return smaller.count < whole.count ? smaller : whole
    }

    private func file(of bitmap: Bitmap) throws(CodecError) -> Data {
        try bitmap.withUnsafeBytes { (pixels) throws(CodecError) in
            let rows = BitmapRows(bitmap, pixels)
            let layout = PNGLayout(rows)
            let file = try Self.file(
                of: rows, layout, PNGCompression(rows, layout), isInterlaced: isInterlaced, gamut: bitmap.gamut)
            return bitmap.gamut == .sRGB ? file : Self.declaring(bitmap.gamut, in: file)
        }
    }

    /// Adds cICP (third edition, 11.3.2.6), which libspng does not write, behind the header. It counts before the profile, which
    /// is for older readers.
    private static func declaring(_ gamut: ColorGamut, in png: Data) -> Data {
        let isFullRange: UInt8 = 1
        let content = Data("cICP".utf8) + [UInt8(gamut.primaries), UInt8(ColorGamut.transfer), 0, isFullRange]
        var chunk = Data()
        chunk.appendBigEndian(4, bytes: 4)
        chunk += content
        chunk.appendBigEndian(PNGChunks.Chunk.checksum(content), bytes: 4)
        return png.prefix(33) + chunk + png.dropFirst(33)
    }

    static func file(
        of rows: BitmapRows, _ layout: PNGLayout, _ compression: PNGCompression, isInterlaced: Bool,
        gamut: ColorGamut = .sRGB
    ) throws(CodecError) -> Data {
        let writer = try SpngWriter()
        try writer.start(rows, layout, compression, isInterlaced: isInterlaced, gamut: gamut)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.rowBytes(rows.width), alignment: 4)
        defer { target.deallocate() }
        let straight = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: rows.width)
        defer { straight.deallocate() }
        while let y = writer.nextRow {
            layout.write(rows.row(y), opaque: rows.opaqueMask, straight: straight, to: target)
            try writer.write(UnsafeRawBufferPointer(target))
        }
        return try writer.finish()
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

    func start(
        _ rows: BitmapRows, _ layout: PNGLayout, _ compression: PNGCompression, isInterlaced: Bool, gamut: ColorGamut
    ) throws(CodecError) {
        var header = spng_ihdr(
            width: UInt32(rows.width), height: UInt32(rows.height), bit_depth: UInt8(layout.bitDepth),
            color_type: UInt8(layout.colorType.rawValue), compression_method: 0, filter_method: 0,
            interlace_method: UInt8((isInterlaced ? SPNG_INTERLACE_ADAM7 : SPNG_INTERLACE_NONE).rawValue))
        try Self.check(spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1))
        try Self.check(
            spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, compression.level(forPixels: rows.width * rows.height))
        )
        try Self.check(spng_set_option(context, SPNG_IMG_COMPRESSION_STRATEGY, compression.strategy))
        let filters = compression.hasFilters ? SPNG_FILTER_CHOICE_ALL : SPNG_FILTER_CHOICE_NONE
        try Self.check(spng_set_option(context, SPNG_FILTER_CHOICE, Int32(filters.rawValue)))
        try Self.check(spng_set_ihdr(context, &header))
        try declare(gamut)
        if case .palette(let palette) = layout { try set(palette) }
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        try Self.check(spng_encode_image(context, nil, 0, Int32(SPNG_FMT_PNG.rawValue), Int32(flags)))
    }

    private func declare(_ gamut: ColorGamut) throws(CodecError) {
        guard gamut != .sRGB else { return try Self.check(spng_set_srgb(context, 0)) }
        // libspng copies the profile.
        var bytes = GamutProfile.displayP3
        let status = bytes.withUnsafeMutableBytes { memory in
            var profile = spng_iccp()
            withUnsafeMutableBytes(of: &profile.profile_name) { $0.copyBytes(from: "Display P3".utf8) }
            (profile.profile_len, profile.profile) = (memory.count, memory.bindMemory(to: CChar.self).baseAddress)
            return spng_set_iccp(context, &profile)
        }
        try Self.check(status)
    }

    /// Sets PLTE, and tRNS if there are translucent colors.
    private func set(_ palette: PNGPalette) throws(CodecError) {
        var (entries, alphas) = (spng_plte(), spng_trns())
        let colors = palette.straightColors
        entries.n_entries = UInt32(colors.count)
        withUnsafeMutableBytes(of: &entries.entries) { memory in
            let entries = memory.bindMemory(to: spng_plte_entry.self)
            for (place, color) in colors.enumerated() {
                entries[place] = spng_plte_entry(
                    red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
                    blue: UInt8(truncatingIfNeeded: color), alpha: 255)
            }
        }
        try Self.check(spng_set_plte(context, &entries))
        let translucent = colors.prefix { $0 >> 24 != 255 }
        guard !translucent.isEmpty else { return }
        alphas.n_type3_entries = UInt32(translucent.count)
        withUnsafeMutableBytes(of: &alphas.type3_alpha) { memory in
            for (place, color) in translucent.enumerated() { memory[place] = UInt8(truncatingIfNeeded: color >> 24) }
        }
        try Self.check(spng_set_trns(context, &alphas))
    }

    /// The number of the row to write, or `nil` after the last. With interlacing, rows are written in each pass that they are in.
    var nextRow: Int? {
        var info = spng_row_info()
        return spng_get_row_info(context, &info) == 0 ? Int(info.row_num) : nil
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
