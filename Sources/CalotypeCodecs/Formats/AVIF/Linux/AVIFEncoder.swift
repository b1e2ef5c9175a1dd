import CAvif
import Foundation

/// An encoder of lossy AVIF with transparency. The files declare their gamut in their colr box (nclx code points 1/13/6
/// for sRGB, 12/13/6 for Display P3).
struct AVIFEncoder: EXIFPlacingEncoder {
    var quality = 60
    /// The speed, from 0 (smallest files) to 10 (fastest).
    var speed = 6
    /// Whether colors keep their full resolution (4:4:4). If `nil`, they do for a quality of 90 or above.
    var keepsColors: Bool?
    /// The EXIF block of the file, or `nil` (the default) for a file without one.
    var exif: EXIFBlock?

    var format: ImageFormat { .avif }

    /// Encodes a bitmap, with its gain map as another item.
    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let canvas = try AVIFCanvas(bitmap, keepsColors: keepsColors ?? (quality >= 90))
        if let exif { try canvas.add(exif) }
        let base = try file(of: canvas, quality: percent(quality))
        guard let map = try bitmap.gainMap?.drawn(for: bitmap.size) else { return base }
        let (drawn, mapQuality) = try map.prepared(
            besideQuality: percent(quality), in: bitmap.gamut, losing: 1...1.5)
        let samples = try AVIFCanvas(samplesOf: drawn, keepsColors: mapQuality >= 90)
        return try GainMapItemFile(
            base: base, samples: file(of: samples, quality: mapQuality), map: drawn, gamut: bitmap.gamut
        ).write()
    }

    private func file(of canvas: AVIFCanvas, quality percent: Int) throws(CodecError) -> Data {
        let speed = min(max(speed, 0), 10)
        let best = AVIFQuantization(quality: percent, hasMatrices: AVIFQuantization.hasMatrices)
        if let file = try canvas.encoded(best, speed: speed) { return file }
        // An older libaom, which lacks one of the options.
        guard let file = try canvas.encoded(AVIFQuantization(quality: percent, hasMatrices: false), speed: speed) else {
            throw CodecError(.encodingFailed, "AVIF: an option is refused")
        }
        return file
    }
}

/// libavif's copy of a bitmap, as luma and chroma planes, and an alpha plane if the bitmap has alpha.
final class AVIFCanvas {
    private let image: UnsafeMutablePointer<avifImage>

    convenience init(_ bitmap: Bitmap, keepsColors: Bool) throws(CodecError) {
        try self.init(bitmap, keepsColors ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420)
        image.pointee.colorPrimaries = avifColorPrimaries(UInt16(bitmap.gamut.primaries))
        image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
    }

    /// Copies the samples of a gain map. They are no colors, and have unspecified code points.
    convenience init(samplesOf map: GainMap, keepsColors: Bool) throws(CodecError) {
        let colors = keepsColors ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
        try self.init(map.samples, map.isGray ? AVIF_PIXEL_FORMAT_YUV400 : colors)
        image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_UNSPECIFIED)
        image.pointee.transferCharacteristics =
            avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED)
    }

    private init(_ bitmap: Bitmap, _ layout: avifPixelFormat) throws(CodecError) {
        // Readers that use libavif, such as browsers, refuse larger images unless they change its limits.
        let (sideLimit, pixelLimit) = (Int(AVIF_DEFAULT_IMAGE_DIMENSION_LIMIT), 16_384 * 16_384)
        guard max(bitmap.width, bitmap.height) <= sideLimit, bitmap.width * bitmap.height <= pixelLimit else {
            throw CodecError(
                .encodingFailed,
                "AVIF of \(bitmap.size) pixels: a side may have at most \(sideLimit), and all \(pixelLimit)")
        }
        guard let image = avifImageCreate(UInt32(bitmap.width), UInt32(bitmap.height), 8, layout) else {
            throw CodecError(.encodingFailed, "no memory for an AVIF of \(bitmap.size) pixels")
        }
        self.image = image
        image.pointee.matrixCoefficients = avifMatrixCoefficients(AVIF_MATRIX_COEFFICIENTS_BT601)
        image.pointee.yuvRange = AVIF_RANGE_FULL
        var source = avifRGBImage()
        avifRGBImageSetDefaults(&source, image)
        source.format = AVIF_RGB_FORMAT_BGRA
        source.alphaPremultiplied = 1
        source.ignoreAlpha = bitmap.hasAlpha ? 0 : 1
        source.rowBytes = UInt32(bitmap.stride)
        let result = bitmap.withUnsafeBytes { bytes in
            // libavif only reads these pixels.
            source.pixels = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            return avifImageRGBToYUV(image, &source)
        }
        try Self.check(result)
    }

    deinit { avifImageDestroy(image) }

    /// Adds an EXIF block, whose orientation must be 1: libavif would turn another one into a transformation.
    func add(_ exif: EXIFBlock) throws(CodecError) {
        let isSet = exif.bytes.reading { bytes in
            calotype_avif_set_exif(image, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count) != 0
        }
        guard isSet else { throw CodecError(.encodingFailed, "AVIF: no memory for the metadata") }
    }

    /// Returns `nil` if the codec lacks an option.
    func encoded(_ quantization: AVIFQuantization, speed: Int) throws(CodecError) -> Data? {
        guard let encoder = avifEncoderCreate() else {
            throw CodecError(.encodingFailed, "no memory for an AVIF encoder")
        }
        defer { avifEncoderDestroy(encoder) }
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = Int32(speed)
        let (colors, alpha) = (Int32(quantization.quantizer), Int32(quantization.alphaQuantizer))
        (encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (colors, colors)
        (encoder.pointee.minQuantizerAlpha, encoder.pointee.maxQuantizerAlpha) = (0, alpha)
        for option in quantization.options {
            guard calotype_avif_set_option(encoder, option.name, option.value) != 0 else { return nil }
        }
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        // Cannot be cancelled: libavif calls nothing back, and a still image is one call of its codec.
        let result = avifEncoderWrite(encoder, image, &file)
        if result == AVIF_RESULT_INVALID_CODEC_SPECIFIC_OPTION { return nil }
        try Self.check(result)
        guard let start = file.data else { throw CodecError(.encodingFailed, "AVIF: nothing was written") }
        return Data(bytes: start, count: file.size)
    }

    private static func check(_ result: avifResult) throws(CodecError) {
        guard result != AVIF_RESULT_OK else { return }
        throw CodecError(.encodingFailed, "AVIF: \(String(cString: avifResultToString(result)))")
    }
}
