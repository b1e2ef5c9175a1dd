import CSpng

struct SpngReader: ~Copyable {
    private let context: OpaquePointer
    /// The file without metadata, and perhaps without its profile, or with another end; `nil` if libspng reads the whole
    /// file.
    private let source: PNGSource?

    /// Reads the chunks before the image.
    ///
    /// - Parameters:
    ///   - png: The file. It must stay at its address for the lifetime of the reader.
    ///   - checksSums: Whether a wrong checksum makes the image damaged. Otherwise missing bytes count as missing pixels,
    ///     wherever they are.
    init(_ png: UnsafeRawBufferPointer, checksSums: Bool = true) throws(CodecError) {
        // A missing or damaged end is no damage to the image.
        let end = checksSums ? PNGChunks.endOfPixels(ifEndIsMissingIn: ByteReader(png)) : nil
        var (context, source) = (try Self.context(checksSums: checksSums), end.map { PNGSource(png, closedAt: $0) })
        Self.setInput(of: context, to: source, or: png)
        var status = Self.readChunks(context)
        // If the chunks exceed the limits, retry without metadata, then also without a profile.
        for leavesOutProfile in [false, true] where status == Int32(SPNG_ECHUNK_LIMITS.rawValue) {
            spng_ctx_free(context)
            let rest = PNGSource(png, closedAt: end) {
                $0.isMetadata || leavesOutProfile && $0.name == PNGChunks.Chunk.profile
            }
            (context, source) = (try Self.context(checksSums: checksSums), rest)
            Self.setInput(of: context, to: rest, or: png)
            status = Self.readChunks(context)
        }
        guard status == 0 || status == Int32(SPNG_ECHUNKAVAIL.rawValue) else {
            spng_ctx_free(context)
            throw Self.failure(status)
        }
        (self.context, self.source) = (context, source)
    }

    private static func context(checksSums: Bool) throws(CodecError) -> OpaquePointer {
        guard let context = spng_ctx_new(0) else { throw CodecError(.tooLarge, "no memory for a PNG decoder") }
        // Profiles are the only large chunks used here. Damaged chunks outside the image are discarded.
        spng_set_chunk_limits(context, 8 << 20, 16 << 20)
        let wrong = checksSums ? SPNG_CRC_ERROR : SPNG_CRC_USE
        spng_set_crc_action(context, Int32(wrong.rawValue), Int32(SPNG_CRC_DISCARD.rawValue))
        return context
    }

    private static func setInput(of context: OpaquePointer, to source: PNGSource?, or png: UnsafeRawBufferPointer) {
        guard let source else {
            // This fails only for an empty file; the first read then fails, too.
            spng_set_png_buffer(context, png.baseAddress, png.count)
            return
        }
        spng_set_png_stream(
            context, { _, source, target, count in SpngReader.read(source, target, count) },
            Unmanaged.passUnretained(source).toOpaque())
    }

    /// Reads all chunks before the image, by requesting one of them.
    private static func readChunks(_ context: OpaquePointer) -> Int32 {
        var profile = spng_iccp()
        return spng_get_iccp(context, &profile)
    }

    private static func read(
        _ source: UnsafeMutableRawPointer?, _ target: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
        guard let source else { return Int32(SPNG_IO_ERROR.rawValue) }
        let target = UnsafeMutableRawBufferPointer(start: target, count: count)
        let isThere = Unmanaged<PNGSource>.fromOpaque(source).takeUnretainedValue().read(into: target)
        return isThere ? 0 : Int32(SPNG_IO_EOF.rawValue)
    }

    deinit { spng_ctx_free(context) }

    func header() throws(CodecError) -> spng_ihdr {
        var header = spng_ihdr()
        try Self.check(spng_get_ihdr(context, &header))
        return header
    }

    /// Returns whether the file has a tRNS chunk, which makes some pixels transparent.
    func hasTransparency() throws(CodecError) -> Bool {
        var transparency = spng_trns()
        return try Self.isPresent(spng_get_trns(context, &transparency))
    }

    /// Returns the orientation in the eXIf chunk, or 1 if there is no such chunk before the image.
    func orientation() throws(CodecError) -> Int {
        var exif = spng_exif()
        guard try Self.isPresent(spng_get_exif(context, &exif)), let data = exif.data else { return 1 }
        return EXIFOrientation.read(ByteReader(UnsafeRawBufferPointer(start: data, count: exif.length)))
    }

    func isMarkedSRGB() throws(CodecError) -> Bool {
        var intent: UInt8 = 0
        return try Self.isPresent(spng_get_srgb(context, &intent))
    }

    /// Returns the exponent that turns light into stored values, such as 0.45455, or `nil` without a gAMA chunk.
    func gamma() throws(CodecError) -> Double? {
        var gamma = 0.0
        return try Self.isPresent(spng_get_gama(context, &gamma)) ? gamma : nil
    }

    typealias Chromaticity = CodedColors.Chromaticity

    func chromaticities() throws(CodecError) -> (
        white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity
    )? {
        var places = spng_chrm()
        guard try Self.isPresent(spng_get_chrm(context, &places)) else { return nil }
        return (
            Chromaticity(places.white_point_x, places.white_point_y), Chromaticity(places.red_x, places.red_y),
            Chromaticity(places.green_x, places.green_y), Chromaticity(places.blue_x, places.blue_y)
        )
    }

    func profile() throws(CodecError) -> ColorProfile? {
        var iccp = spng_iccp()
        guard try Self.isPresent(spng_get_iccp(context, &iccp)), let data = iccp.profile else { return nil }
        return ColorProfile(Array(UnsafeRawBufferPointer(start: data, count: iccp.profile_len)))
    }

    // MARK: - Pixels

    /// Reads the whole image at once, including transparency.
    func readImage(into pixels: UnsafeMutableRawBufferPointer) throws(CodecError) {
        try Self.check(
            spng_decode_image(
                context, pixels.baseAddress, pixels.count, Int32(SPNG_FMT_RGBA8.rawValue),
                Int32(SPNG_DECODE_TRNS.rawValue)))
    }

    /// The pass and the row of the image that libspng decodes next, both counted from 0; `nil` after the last row, and
    /// after an error.
    var nextPassRow: (pass: Int, row: Int)? {
        var info = spng_row_info()
        return spng_get_row_info(context, &info) == 0 ? (Int(info.pass), Int(info.row_num)) : nil
    }

    /// Reads the next row of a pass as straight RGBA, without gaps between its pixels.
    func readPassRow(into row: UnsafeMutableRawBufferPointer) throws(CodecError) {
        let status = spng_decode_scanline(context, row.baseAddress, row.count)
        // For the last row libspng returns SPNG_EOI instead of success.
        if status != Int32(SPNG_EOI.rawValue) { try Self.check(status) }
    }

    /// Starts reading rows of RGBA with 8 bits per channel, or with 16 bits in the machine's byte order if `isWide`.
    func startRows(isWide: Bool = false) throws(CodecError) {
        let flags = Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue)
        let format = isWide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8
        try Self.check(spng_decode_image(context, nil, 0, Int32(format.rawValue), flags))
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(CodecError) {
        let status = spng_decode_row(context, row.baseAddress, row.count)
        // For the last row libspng returns SPNG_EOI instead of success.
        if status != Int32(SPNG_EOI.rawValue) { try Self.check(status) }
    }

    private static func isPresent(_ status: Int32) throws(CodecError) -> Bool {
        if status == Int32(SPNG_ECHUNKAVAIL.rawValue) { return false }
        try check(status)
        return true
    }

    private static func check(_ status: Int32) throws(CodecError) {
        if status != 0 { throw failure(status) }
    }

    private static func failure(_ status: Int32) -> CodecError {
        let code: CodecError.Code = status == Int32(SPNG_EMEM.rawValue) ? .tooLarge : .damaged
        return CodecError(code, "PNG is damaged: \(String(cString: spng_strerror(status)))")
    }
}

extension PNGChunks.Chunk {
    /// Whether this is text, a suggested palette, or EXIF of more than 1 MiB, which contains more than an orientation.
    fileprivate var isMetadata: Bool {
        [Self.text, Self.compressedText, Self.internationalText, Self.suggestedPalette].contains(name)
            || name == Self.exif && content.count > 1 << 20
    }
}
