import CAvif
import CalotypeCodecs
import Foundation
import Testing

/// AVIF files with features that the encoder never writes.
struct AVIFFile {
    var depth: UInt32 = 8
    /// The rotation, in quarter turns counterclockwise.
    var angle: UInt8?
    var mirror: UInt8?
    var area: PixelRect?
    var primaries: UInt16 = 1
    var transfer: UInt16 = 13
    var profile: Data?
    /// Whether the file has luma alone.
    var isGray = false
    /// The durations of the frames, in milliseconds; `nil` for a still image.
    var durations: [UInt64]?

    /// Encodes in 4:4:4, or in gray, at the format's best quality.
    func encoded(_ bitmap: Bitmap) throws -> Data {
        try encoded(Array(repeating: bitmap, count: durations?.count ?? 1))
    }

    /// Encodes one bitmap for each of the durations.
    func encoded(_ bitmaps: [Bitmap]) throws -> Data {
        let encoder = try #require(avifEncoderCreate())
        defer { avifEncoderDestroy(encoder) }
        (encoder.pointee.speed, encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (10, 0, 2)
        encoder.pointee.timescale = 1000
        for (bitmap, duration) in zip(bitmaps, durations ?? [1]) {
            let image = try #require(
                avifImageCreate(
                    UInt32(bitmap.width), UInt32(bitmap.height), depth,
                    isGray ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444))
            defer { avifImageDestroy(image) }
            describe(image)
            try fill(image, bitmap)
            let flags = durations == nil ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE
            try #require(avifEncoderAddImage(encoder, image, duration, flags.rawValue) == AVIF_RESULT_OK)
        }
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        try #require(avifEncoderFinish(encoder, &file) == AVIF_RESULT_OK)
        let written = Data(bytes: try #require(file.data), count: file.size)
        return durations == nil ? written : try turningFrames(written)
    }

    /// Replaces the colors of a sequence's frames, which AV1 itself repeats, by a rotation. libavif 1.2 crashes when it
    /// writes one.
    private func turningFrames(_ file: Data) throws -> Data {
        guard let angle else { return file }
        // The item's come first, the track's last.
        let colors = try #require(file.range(of: Data("nclx".utf8), options: .backwards)).lowerBound - 8
        let (turn, rest) = (Data().bigEndian(9, bytes: 4) + Data("irot".utf8) + [angle], 10)
        var turned = file
        turned.replaceSubrange(
            colors..<colors + turn.count + rest,
            with: turn + Data().bigEndian(rest, bytes: 4) + Data("free".utf8) + [0, 0])
        return turned
    }

    func describe(_ image: UnsafeMutablePointer<avifImage>) {
        image.pointee.colorPrimaries = primaries
        image.pointee.transferCharacteristics = transfer
        image.pointee.matrixCoefficients = 6
        if let angle, durations == nil {
            image.pointee.irot.angle = angle
            image.pointee.transformFlags |= AVIF_TRANSFORM_IROT.rawValue
        }
        if let mirror {
            calotype_avif_set_mirror(image, mirror)
            image.pointee.transformFlags |= AVIF_TRANSFORM_IMIR.rawValue
        }
        if let area {
            var rect = avifCropRect(
                x: UInt32(area.x), y: UInt32(area.y), width: UInt32(area.width), height: UInt32(area.height))
            var diagnostics = avifDiagnostics()
            avifCleanApertureBoxConvertCropRect(
                &image.pointee.clap, &rect, image.pointee.width, image.pointee.height, image.pointee.yuvFormat,
                &diagnostics)
            image.pointee.transformFlags |= AVIF_TRANSFORM_CLAP.rawValue
        }
        profile?.withUnsafeBytes { bytes in
            avifImageSetProfileICC(image, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        }
    }

    func fill(_ image: UnsafeMutablePointer<avifImage>, _ bitmap: Bitmap) throws {
        var source = avifRGBImage()
        avifRGBImageSetDefaults(&source, image)
        source.depth = 8
        source.format = AVIF_RGB_FORMAT_BGRA
        source.alphaPremultiplied = 1
        source.ignoreAlpha = bitmap.hasAlpha ? 0 : 1
        source.rowBytes = UInt32(bitmap.stride)
        let result = bitmap.withUnsafeBytes { bytes in
            source.pixels = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            return avifImageRGBToYUV(image, &source)
        }
        try #require(result == AVIF_RESULT_OK)
    }
}
