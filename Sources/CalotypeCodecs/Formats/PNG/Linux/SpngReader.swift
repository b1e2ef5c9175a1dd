import CSpng

struct SpngReader: ~Copyable {
    private let context: OpaquePointer
    private let source: PNGSource

    /// Reads the chunks before the image.
    ///
    /// - Parameters:
    ///   - png: The file. It must stay at its address for the lifetime of the reader.
    ///   - checksSums: Whether a wrong checksum in front of the last row makes the image damaged, as in Chromium. Otherwise
    ///     missing bytes count as missing pixels, wherever they are.
    init(_ png: UnsafeRawBufferPointer, checksSums: Bool = true) throws(CodecError) {
        // A missing or damaged end is no damage to the image.
        let end = checksSums ? PNGChunks.endOfPixels(ifEndIsMissingIn: ByteReader(png)) : nil
        var rules = PNGChunkRules(ByteReader(png))
        var source = PNGSource(png, closedAt: end, checksSums: checksSums, replacing: rules.replacement)
        var context = try Self.context(reading: source, checksSums: checksSums)
        var status = Self.readChunks(context)
        if status == Int32(SPNG_ECHUNK_LIMITS.rawValue) {
            rules.leavesOutProfile = true
            spng_ctx_free(context)
            source = PNGSource(png, closedAt: end, checksSums: checksSums, replacing: rules.replacement)
            context = try Self.context(reading: source, checksSums: checksSums)
            status = Self.readChunks(context)
        }
        guard status == 0 || status == Int32(SPNG_ECHUNKAVAIL.rawValue) else {
            spng_ctx_free(context)
            throw Self.failure(status)
        }
        (self.context, self.source) = (context, source)
    }

    private static func context(reading source: PNGSource, checksSums: Bool) throws(CodecError) -> OpaquePointer {
        guard let context = spng_ctx_new(0) else { throw CodecError(.tooLarge, "no memory for a PNG decoder") }
        // Profiles are the only large chunks used here.
        spng_set_chunk_limits(context, 8 << 20, 16 << 20)
        setChecks(of: context, checksSums: checksSums)
        // This fails only without memory; the first read then fails, too.
        spng_set_png_stream(
            context, { _, source, target, count in SpngReader.read(source, target, count) },
            Unmanaged.passUnretained(source).toOpaque())
        return context
    }

    /// Damaged chunks outside the image are discarded.
    private static func setChecks(of context: OpaquePointer, checksSums: Bool) {
        let wrong = checksSums ? SPNG_CRC_ERROR : SPNG_CRC_USE
        spng_set_crc_action(context, Int32(wrong.rawValue), Int32(SPNG_CRC_DISCARD.rawValue))
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
        try check(spng_get_ihdr(context, &header))
        return header
    }

    /// Returns whether the file has a tRNS chunk, which makes some pixels transparent.
    func hasTransparency() throws(CodecError) -> Bool {
        var transparency = spng_trns()
        return try isPresent(spng_get_trns(context, &transparency))
    }

    /// Returns the tRNS chunk of an image without a palette, or `nil` if there is none.
    func transparency() throws(CodecError) -> spng_trns? {
        var transparency = spng_trns()
        return try isPresent(spng_get_trns(context, &transparency)) ? transparency : nil
    }

    /// Returns the colors of all 256 indices as premultiplied BGRA. Those that the file leaves out are black.
    func premultipliedPalette() throws(CodecError) -> [UInt32] {
        var palette = spng_plte()
        try check(spng_get_plte(context, &palette))
        var colors = withUnsafeBytes(of: &palette.entries) { entries in
            entries.bindMemory(to: spng_plte_entry.self).map {
                0xFF00_0000 | UInt32($0.blue) << 16 | UInt32($0.green) << 8 | UInt32($0.red)
            }
        }
        if var transparency = try transparency() {
            let count = min(Int(transparency.n_type3_entries), colors.count)
            withUnsafeBytes(of: &transparency.type3_alpha) { alpha in
                for index in 0..<count { colors[index] = colors[index] & 0xFF_FFFF | UInt32(alpha[index]) << 24 }
            }
        }
        colors.withUnsafeMutableBufferPointer { $0.premultiplyRGBA() }
        return colors
    }

    /// Returns the orientation in the eXIf chunk, or 1 if there is no such chunk before the image.
    func orientation() throws(CodecError) -> Int {
        var exif = spng_exif()
        guard try isPresent(spng_get_exif(context, &exif)), let data = exif.data else { return 1 }
        return EXIFOrientation.read(ByteReader(UnsafeRawBufferPointer(start: data, count: exif.length)))
    }

    func isMarkedSRGB() throws(CodecError) -> Bool {
        var intent: UInt8 = 0
        return try isPresent(spng_get_srgb(context, &intent))
    }

    /// Returns the exponent that turns light into stored values, such as 0.45455, or `nil` without a gAMA chunk.
    func gamma() throws(CodecError) -> Double? {
        var gamma = 0.0
        return try isPresent(spng_get_gama(context, &gamma)) ? gamma : nil
    }

    typealias Chromaticity = CodedColors.Chromaticity

    func chromaticities() throws(CodecError) -> (
        white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity
    )? {
        var places = spng_chrm()
        guard try isPresent(spng_get_chrm(context, &places)) else { return nil }
        return (
            Chromaticity(places.white_point_x, places.white_point_y), Chromaticity(places.red_x, places.red_y),
            Chromaticity(places.green_x, places.green_y), Chromaticity(places.blue_x, places.blue_y)
        )
    }

    func profile() throws(CodecError) -> ColorProfile? {
        var iccp = spng_iccp()
        guard try isPresent(spng_get_iccp(context, &iccp)), let data = iccp.profile else { return nil }
        return ColorProfile(Array(UnsafeRawBufferPointer(start: data, count: iccp.profile_len)))
    }

    // MARK: - Pixels

    /// Returns the rows as their filters left them, for a reader that does without libspng, or `nil` if libspng is to find
    /// the damage in front of them. `checkEnd()` is to follow the last row.
    func inflatedPixels() throws(CodecError) -> InflatedPixels? { try source.inflatedPixels() }

    /// Checks the chunks after the pixels, if another reader has read these.
    func checkEnd() throws(CodecError) {
        guard let end = try source.end() else { return }
        let context = try Self.context(reading: end, checksSums: false)
        defer { spng_ctx_free(context) }
        var pixel: UInt32 = 0
        let status = spng_decode_image(context, &pixel, 4, Int32(SPNG_FMT_RGBA8.rawValue), 0)
        try check(status == 0 ? spng_decode_chunks(context) : status)
    }

    /// Reads the whole image at once, including transparency.
    func readImage(into pixels: UnsafeMutableRawBufferPointer) throws(CodecError) {
        try startPixels()
        try check(
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
        try checkRow(spng_decode_scanline(context, row.baseAddress, row.count))
    }

    /// Starts reading rows of RGBA with 8 bits per channel, or with 16 bits in the machine's byte order if `isWide`.
    func startRows(isWide: Bool = false) throws(CodecError) {
        try startPixels()
        let flags = Int32(SPNG_DECODE_TRNS.rawValue | SPNG_DECODE_PROGRESSIVE.rawValue)
        let format = isWide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8
        try check(spng_decode_image(context, nil, 0, Int32(format.rawValue), flags))
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(CodecError) {
        try checkRow(spng_decode_row(context, row.baseAddress, row.count))
    }

    private func startPixels() throws(CodecError) {
        try source.startPixels(header().filteredBytes)
        // The source checks the sums of the pixels, and none matters behind the last row.
        Self.setChecks(of: context, checksSums: false)
    }

    private func checkRow(_ status: Int32) throws(CodecError) {
        // For the last row libspng returns SPNG_EOI instead of success.
        if status != Int32(SPNG_EOI.rawValue) { try check(status) }
    }

    private func isPresent(_ status: Int32) throws(CodecError) -> Bool {
        if status == Int32(SPNG_ECHUNKAVAIL.rawValue) { return false }
        try check(status)
        return true
    }

    private func check(_ status: Int32) throws(CodecError) {
        guard status != 0 else { return }
        // libspng knows only that the source has no more bytes.
        let reason = status == SPNG_IO_EOF.rawValue ? source.failure?.rawValue : nil
        throw Self.failure(reason ?? status)
    }

    /// Returns the error of a status of libspng.
    static func failure(_ status: Int32) -> CodecError {
        let code: CodecError.Code = status == Int32(SPNG_EMEM.rawValue) ? .tooLarge : .damaged
        return CodecError(code, "PNG is damaged: \(String(cString: spng_strerror(status)))")
    }
}
