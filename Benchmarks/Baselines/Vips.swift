import CVips
import Foundation

/// libvips, loaded at run time: the newest one that `Scripts/bench` installs, or Debian's. With one thread and no cache: the fastest thumbnailer in common use.
final class Vips {
    private typealias Initialise = @convention(c) (UnsafePointer<CChar>) -> Int32
    private typealias SetNumber = @convention(c) (Int32) -> Void
    private typealias VersionPart = @convention(c) (Int32) -> Int32
    private typealias GetNumber = @convention(c) (UnsafeMutableRawPointer) -> Int32
    private typealias FromMemory =
        @convention(c) (UnsafeRawPointer, Int, Int32, Int32, Int32, Int32) -> UnsafeMutableRawPointer?
    private typealias Write =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer?
    private typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void

    /// The version, such as 8.18.7.
    let version: String
    /// Whether this is 8.18 or newer, for which bars are stricter than for Debian's 8.14.
    let isNew: Bool
    private let thumbnail: UnsafeMutableRawPointer
    private let saveJPEG: UnsafeMutableRawPointer
    private let resize: UnsafeMutableRawPointer
    private let fromMemory: FromMemory
    private let bands: GetNumber
    private let write: Write
    private let unref: Release
    private let free: Release

    /// Pixels in libvips' layout: interleaved bands, rows without gaps.
    struct Pixels {
        let bytes: [UInt8]
        let bands: Int
    }

    /// The library, or `nil` if it is not installed.
    // Unsafe: it contains only the addresses of functions, which never change.
    nonisolated(unsafe) static let shared = Vips()

    private init?() {
        guard let library = dlopen("libvips.so.42", RTLD_NOW),
            let initialise = dlsym(library, "vips_init"), let number = dlsym(library, "vips_version"),
            let setCache = dlsym(library, "vips_cache_set_max"),
            let setThreads = dlsym(library, "vips_concurrency_set"),
            let thumbnail = dlsym(library, "vips_thumbnail_buffer"),
            let saveJPEG = dlsym(library, "vips_jpegsave_buffer"), let resize = dlsym(library, "vips_resize"),
            let fromMemory = dlsym(library, "vips_image_new_from_memory"),
            let bands = dlsym(library, "vips_image_get_bands"),
            let write = dlsym(library, "vips_image_write_to_memory"),
            let unref = dlsym(library, "g_object_unref"), let free = dlsym(library, "g_free"),
            unsafeBitCast(initialise, to: Initialise.self)("calotype-benchmarks") == 0
        else { return nil }
        let part = unsafeBitCast(number, to: VersionPart.self)
        version = "\(part(0)).\(part(1)).\(part(2))"
        isNew = (part(0), part(1)) >= (8, 18)
        // With its cache of operations, libvips would decode the same bytes only once.
        unsafeBitCast(setCache, to: SetNumber.self)(0)
        unsafeBitCast(setThreads, to: SetNumber.self)(1)
        (self.thumbnail, self.saveJPEG, self.resize) = (thumbnail, saveJPEG, resize)
        self.fromMemory = unsafeBitCast(fromMemory, to: FromMemory.self)
        self.bands = unsafeBitCast(bands, to: GetNumber.self)
        self.write = unsafeBitCast(write, to: Write.self)
        self.unref = unsafeBitCast(unref, to: Release.self)
        self.free = unsafeBitCast(free, to: Release.self)
    }

    /// Decodes and scales, and frees the pixels.
    func thumbnail(_ data: Data, width: Int) throws {
        try withThumbnail(data, width: width, height: 0) { image in
            try withPixels(of: image) { _ in }
        }
    }

    /// Decodes and scales to exactly this size.
    func thumbnail(_ data: Data, width: Int, height: Int) throws -> Pixels {
        try withThumbnail(data, width: width, height: height) { image in
            try withPixels(of: image) { Pixels(bytes: Array($0), bands: Int(bands(image))) }
        }
    }

    /// Decodes, scales and encodes.
    func jpegThumbnail(_ data: Data, width: Int, quality: Int) throws -> Data {
        try withThumbnail(data, width: width, height: 0) { image in
            var bytes: UnsafeMutableRawPointer?
            var count = 0
            guard calotype_vips_save_jpeg(saveJPEG, image, &bytes, &count, Int32(quality)) == 0, let bytes else {
                throw BenchError("libvips wrote no JPEG")
            }
            defer { free(bytes) }
            return Data(bytes: bytes, count: count)
        }
    }

    /// Scales pixels of three bands, and frees the result.
    func resize(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, by scale: Double) throws {
        guard let start = pixels.baseAddress,
            let image = fromMemory(start, pixels.count, Int32(width), Int32(height), 3, 0)
        else { throw BenchError("libvips took no pixels") }
        defer { unref(image) }
        var result: UnsafeMutableRawPointer?
        guard calotype_vips_resize(resize, image, &result, scale) == 0, let result else {
            throw BenchError("libvips could not scale")
        }
        defer { unref(result) }
        try withPixels(of: result) { _ in }
    }

    private func withThumbnail<Result>(
        _ data: Data, width: Int, height: Int, _ body: (UnsafeMutableRawPointer) throws -> Result
    ) throws -> Result {
        var image: UnsafeMutableRawPointer?
        return try data.withUnsafeBytes { bytes in
            // libvips reads the bytes, and never writes to them.
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            let status = calotype_vips_thumbnail(thumbnail, start, bytes.count, &image, Int32(width), Int32(height))
            guard status == 0, let image else { throw BenchError("libvips made no thumbnail") }
            defer { unref(image) }
            return try body(image)
        }
    }

    /// Makes libvips compute the pixels, which it has deferred until now.
    private func withPixels<Result>(
        of image: UnsafeMutableRawPointer, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        var count = 0
        guard let pixels = write(image, &count), count > 0 else { throw BenchError("libvips gave no pixels") }
        defer { free(pixels) }
        return try body(UnsafeRawBufferPointer(start: pixels, count: count))
    }
}
