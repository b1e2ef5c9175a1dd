import CAvif
import Foundation

/// An AVIF file opened by libavif, which parses the boxes first and decodes pixels on demand.
struct AVIFReader: ~Copyable {
    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let file: ByteReader
    /// The file that libavif reads in place of the one given; `nil` if it reads that one.
    private let copy: UnsafeMutableRawPointer?

    /// - Parameter avif: The bytes of the file, which must stay at their address for the lifetime of the reader.
    init(_ avif: UnsafeRawBufferPointer) throws(CodecError) {
        let file = ByteReader(avif)
        guard file.boxes("mini", from: 0).isEmpty else {
            throw CodecError(.unsupported, "AVIF in a minimized box (mini) is not supported")
        }
        try ItemLists.check(file, of: "AVIF", limit: 1 << 14)
        let opened = try Self.opened(avif, file)
        decoder = opened.decoder
        copy = opened.copy
        self.file = file
    }

    /// Opens a file, or a copy of it without gain maps if libavif refuses it: the reason may be one of them.
    private static func opened(
        _ avif: UnsafeRawBufferPointer, _ file: ByteReader
    ) throws(CodecError) -> (decoder: UnsafeMutablePointer<avifDecoder>, copy: UnsafeMutableRawPointer?) {
        let refusal: CodecError
        do throws(CodecError) { return (try opened(avif), nil) } catch { refusal = error }
        guard let maps = HEIFItems(file)?.typesOfGainMaps(hidingEntries: false), !maps.isEmpty else { throw refusal }
        guard let memory = malloc(avif.count) else {
            throw CodecError(.tooLarge, "no memory for a copy of \(avif.count) bytes")
        }
        do throws(CodecError) {
            return (try opened(avif.copy(to: memory, hiding: maps)), memory)
        } catch {
            free(memory)
            throw refusal
        }
    }

    /// Opens a file, which the decoder does not own.
    private static func opened(_ avif: UnsafeRawBufferPointer) throws(CodecError) -> UnsafeMutablePointer<avifDecoder> {
        guard let decoder = avifDecoderCreate() else { throw CodecError(.tooLarge, "no memory for an AVIF decoder") }
        decoder.pointee.maxThreads = 1
        decoder.pointee.ignoreExif = 1
        decoder.pointee.ignoreXMP = 1
        decoder.pointee.imageDimensionLimit = 65_536
        decoder.pointee.imageCountLimit = 100_000
        // Accept the same errors as Chrome: a missing pixi box, and an invalid clap box, which is ignored.
        decoder.pointee.strictFlags =
            AVIF_STRICT_ENABLED.rawValue
            & ~(AVIF_STRICT_PIXI_REQUIRED.rawValue | AVIF_STRICT_CLAP_VALID.rawValue)
        do throws(CodecError) {
            let start = avif.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try check(avifDecoderSetIOMemory(decoder, start, avif.count), decoder)
            try check(avifDecoderParse(decoder), decoder)
            if calotype_avif_follows_references() == 0 { try AVIFReferences.check(ByteReader(avif)) }
        } catch {
            avifDecoderDestroy(decoder)
            throw error
        }
        return decoder
    }

    deinit {
        avifDecoderDestroy(decoder)
        free(copy)
    }

    private var image: avifImage { decoder.pointee.image.pointee }

    /// The part of the stored image that the clap box leaves visible, in pixels.
    var area: PixelRect {
        let image = image
        let whole = PixelRect(x: 0, y: 0, width: Int(image.width), height: Int(image.height))
        guard has(AVIF_TRANSFORM_CLAP) else { return whole }
        var (clap, rect, diagnostics) = (image.clap, avifCropRect(), avifDiagnostics())
        let isValid = avifCropRectConvertCleanApertureBox(
            &rect, &clap, image.width, image.height, image.yuvFormat, &diagnostics)
        guard isValid != 0 else { return whole }
        return PixelRect(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
    }

    var hasAlpha: Bool { decoder.pointee.alphaPresent != 0 }

    var bitsPerSample: Int { Int(image.depth) }

    /// The average number of samples per pixel, without alpha.
    var samplesPerPixel: Double {
        switch image.yuvFormat {
        case AVIF_PIXEL_FORMAT_YUV400: 1
        case AVIF_PIXEL_FORMAT_YUV420: 1.5
        case AVIF_PIXEL_FORMAT_YUV422: 2
        default: 3
        }
    }

    var frameCount: Int { Int(decoder.pointee.imageCount) }

    /// The number of times that a sequence plays; `nil` if it repeats forever, or if libavif does not read the number.
    var loopCount: Int? {
        let repetitions = Int(calotype_avif_repetitions(decoder))
        return repetitions < 0 ? nil : repetitions + 1
    }

    /// The total duration of all frames. Zero for a still image, although libavif reports a duration for it.
    var duration: Duration {
        guard frameCount > 1, decoder.pointee.duration > 0, decoder.pointee.duration < 1e12 else { return .zero }
        return .seconds(decoder.pointee.duration)
    }

    func duration(of frame: Int) -> Duration {
        var timing = avifImageTiming()
        let isKnown = avifDecoderNthImageTiming(decoder, UInt32(frame), &timing) == AVIF_RESULT_OK
        guard isKnown, timing.duration > 0, timing.duration < 1e9 else { return .zero }
        return .seconds(timing.duration)
    }

    /// The EXIF orientation equivalent to irot followed by imir. Ignores the file's EXIF (ISO/IEC 23008-12, A.2.1).
    var orientation: Int {
        let turns = has(AVIF_TRANSFORM_IROT) ? Int(image.irot.angle & 3) : 0
        guard has(AVIF_TRANSFORM_IMIR) else { return [1, 8, 3, 6][turns] }
        return calotype_avif_mirror(decoder.pointee.image) == 0 ? [4, 5, 2, 7][turns] : [2, 7, 4, 5][turns]
    }

    /// The conversion to sRGB, or `nil` if the pixels are sRGB or of an unknown color space.
    var colors: ColorConversion? {
        let image = image
        guard image.icc.size == 0 else {
            return .rgb(profile, isGray: image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400)
        }
        return .rgb(codePoints, peak: SourcePeak.ofItems(file))
    }

    var colorName: String? {
        guard image.icc.size == 0 else { return profile?.name }
        return codePoints.name
    }

    private var codePoints: CodePoints {
        CodePoints(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics))
    }

    private var profile: ColorProfile? {
        ColorProfile(Array(UnsafeRawBufferPointer(start: image.icc.data, count: image.icc.size)))
    }

    private func has(_ transform: avifTransformFlag) -> Bool { image.transformFlags & transform.rawValue != 0 }

    /// Decodes a frame, whose pixels can then be read. Decoding frames in order is fastest.
    func decode(frame: Int = 0) throws(CodecError) {
        // The coded image may be larger than announced, but only the announced size was checked.
        let announced = Int(image.width) * Int(image.height)
        decoder.pointee.imageSizeLimit = UInt32(min(announced, Int(decoder.pointee.imageSizeLimit)))
        try Self.check(avifDecoderNthImage(decoder, UInt32(frame)), decoder)
    }

    /// Reads an area of the decoded frame as premultiplied BGRA.
    func read(_ area: PixelRect, into pixels: UnsafeMutableRawBufferPointer, stride: Int) throws(CodecError) {
        try convert(area) { target in
            target.depth = 8
            target.format = AVIF_RGB_FORMAT_BGRA
            target.alphaPremultiplied = 1
            target.pixels = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
            target.rowBytes = UInt32(stride)
        }
    }

    /// Reads an area of the decoded frame as straight RGBA, each sample with the bits of the file.
    ///
    /// - Parameter interpolates: Whether colors that pixels share are interpolated, which takes twice the time.
    fileprivate func read(
        _ area: PixelRect, into deep: borrowing DeepPixels, interpolates: Bool
    ) throws(CodecError) {
        let (start, bits) = (deep.row(0).baseAddress, UInt32(bitsPerSample))
        try convert(area) { target in
            target.depth = bits
            target.format = AVIF_RGB_FORMAT_RGBA
            target.alphaPremultiplied = 0
            if !interpolates { target.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_NEAREST }
            target.pixels = start.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self) }
            target.rowBytes = UInt32(8 * area.width)
        }
    }

    /// Converts an area of the decoded frame to RGB, in the form that `describe` sets.
    private func convert(_ area: PixelRect, _ describe: (inout avifRGBImage) -> Void) throws(CodecError) {
        guard let view = avifImageCreateEmpty() else { throw CodecError(.tooLarge, "no memory to decode this AVIF") }
        defer { avifImageDestroy(view) }
        var rect = avifCropRect(
            x: UInt32(area.x), y: UInt32(area.y), width: UInt32(area.width), height: UInt32(area.height))
        try Self.check(avifImageSetViewRect(view, decoder.pointee.image, &rect), decoder)
        var target = avifRGBImage()
        avifRGBImageSetDefaults(&target, view)
        describe(&target)
        try Self.check(avifImageYUVToRGB(view, &target), decoder)
    }

    private static func check(
        _ result: avifResult, _ decoder: UnsafeMutablePointer<avifDecoder>
    ) throws(CodecError) {
        switch result {
        case AVIF_RESULT_OK: return
        case AVIF_RESULT_OUT_OF_MEMORY: throw CodecError(.tooLarge, "no memory to decode this AVIF")
        case AVIF_RESULT_REFORMAT_FAILED:
            // The pixels are whole, and stored in a way for which libavif has no formula.
            let matrix = decoder.pointee.image.map { " \($0.pointee.matrixCoefficients)" } ?? ""
            throw CodecError(.unsupported, "AVIF with the matrix coefficients\(matrix) is not supported")
        case AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_UNSUPPORTED_DEPTH, AVIF_RESULT_NOT_IMPLEMENTED:
            throw CodecError(.unsupported, "AVIF: \(String(cString: avifResultToString(result)))")
        case AVIF_RESULT_NO_AV1_ITEMS_FOUND:
            // The boxes are whole, but the image derives from others or has a property in a way that is newer than libavif.
            let version = String(cString: avifVersion())
            throw CodecError(.unsupported, "AVIF without an image that libavif \(version) reads")
        default:
            let detail = withUnsafeBytes(of: decoder.pointee.diag.error) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A message with "truncated" is about a box that exceeds the file, even if it contains "too large".
            if detail.contains("too large"), !detail.contains("truncated") {
                throw CodecError(.tooLarge, "AVIF: \(detail)")
            }
            // A box is whole, but of a version, or with a property, that libavif does not know.
            if detail.lowercased().contains("unsupported") { throw CodecError(.unsupported, "AVIF: \(detail)") }
            let reason = String(cString: avifResultToString(result))
            throw CodecError(.damaged, "AVIF is damaged: \(detail.isEmpty ? reason : detail)")
        }
    }
}

/// The rows of a decoded frame of more than 8 bits, in order.
struct AVIFDeepRows: ~Copyable {
    /// The number of rows that are read together, and of those around them whose colors 4:2:0 interpolates. Both are even, because two
    /// rows may share their colors.
    private static let (bandRows, marginRows) = (16, 2)

    private let area: PixelRect
    private let interpolates: Bool
    private let band: DeepPixels
    private var bandTop = 0
    private var next = 0

    /// - Parameter result: The size to which the rows are scaled. At half of theirs and below, the filter averages all pixels that
    ///   share a color, so that it need not be interpolated.
    init(_ area: PixelRect, for result: PixelSize) throws(CodecError) {
        band = try DeepPixels(width: area.width, height: Self.bandRows + 2 * Self.marginRows)
        self.area = area
        interpolates = 2 * result.width > area.width || 2 * result.height > area.height
    }

    /// Returns the memory of a band in bytes.
    static func workingBytes(width: Int) -> Int { 8 * width * (bandRows + 2 * marginRows) }

    /// Reads the samples of the next row of the area as straight RGBA.
    mutating func read(_ reader: borrowing AVIFReader, into row: DeepRow) throws(CodecError) {
        if next % Self.bandRows == 0 {
            bandTop = max(next - Self.marginRows, 0)
            let bottom = min(next + Self.bandRows + Self.marginRows, area.height)
            let rect = PixelRect(x: area.x, y: area.y + bandTop, width: area.width, height: bottom - bandTop)
            try reader.read(rect, into: band, interpolates: interpolates)
        }
        _ = row.update(from: band.row(next - bandTop))
        next += 1
    }
}
