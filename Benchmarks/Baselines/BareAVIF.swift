import CAvif
import CalotypeCodecs
import Foundation

/// The minimum calls to libavif for a decode or an encode, on one thread, with the same settings as the library.
enum BareAVIF {
    static func photograph() throws -> Bitmap {
        try DecoderRegistry.standard.plan(for: Photographs.large, target: ResizeTarget(width: 1152)).decode()
    }

    static func decode(_ data: Data) throws {
        guard let decoder = avifDecoderCreate() else { throw BenchError("libavif gave no decoder") }
        defer { avifDecoderDestroy(decoder) }
        decoder.pointee.maxThreads = 1
        try data.withUnsafeBytes { bytes in
            try check(avifDecoderSetIOMemory(decoder, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count))
            try check(avifDecoderParse(decoder))
            try check(avifDecoderNextImage(decoder))
        }
        var pixels = avifRGBImage()
        avifRGBImageSetDefaults(&pixels, decoder.pointee.image)
        (pixels.depth, pixels.format) = (8, AVIF_RGB_FORMAT_BGRA)
        avifRGBImageAllocatePixels(&pixels)
        defer { avifRGBImageFreePixels(&pixels) }
        try check(avifImageYUVToRGB(decoder.pointee.image, &pixels))
    }

    static func encode(_ bitmap: Bitmap) throws {
        let (width, height) = (UInt32(bitmap.width), UInt32(bitmap.height))
        guard let image = avifImageCreate(width, height, 8, AVIF_PIXEL_FORMAT_YUV420), let encoder = avifEncoderCreate()
        else { throw BenchError("libavif gave no encoder") }
        defer {
            avifEncoderDestroy(encoder)
            avifImageDestroy(image)
        }
        image.pointee.matrixCoefficients = 6
        image.pointee.yuvRange = AVIF_RANGE_FULL
        try bitmap.withUnsafeBytes { bytes in
            var pixels = avifRGBImage()
            avifRGBImageSetDefaults(&pixels, image)
            (pixels.format, pixels.ignoreAlpha, pixels.rowBytes) = (AVIF_RGB_FORMAT_BGRA, 1, UInt32(bitmap.stride))
            pixels.pixels = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            try check(avifImageRGBToYUV(image, &pixels))
        }
        (encoder.pointee.maxThreads, encoder.pointee.speed) = (1, 6)
        // The equivalent of quality 60.
        (encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (25, 25)
        var file = avifRWData()
        defer { avifRWDataFree(&file) }
        try check(avifEncoderWrite(encoder, image, &file))
    }

    private static func check(_ result: avifResult) throws {
        if result != AVIF_RESULT_OK { throw BenchError("libavif: \(String(cString: avifResultToString(result)))") }
    }
}
