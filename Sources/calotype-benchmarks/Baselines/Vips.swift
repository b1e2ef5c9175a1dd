import CVips
import Foundation

/// libvips' thumbnailer, looked up while running: the fastest that is in common use.
final class Vips {
    private typealias Initialise = @convention(c) (UnsafePointer<CChar>) -> Int32
    private typealias SetCache = @convention(c) (Int32) -> Void
    private typealias Write =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer?
    private typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void

    private let thumbnail: UnsafeMutableRawPointer
    private let write: Write
    private let unref: Release
    private let free: Release

    /// Nil where libvips is not installed.
    init?() {
        guard let library = dlopen("libvips.so.42", RTLD_NOW),
            let initialise = dlsym(library, "vips_init"), let setCache = dlsym(library, "vips_cache_set_max"),
            let thumbnail = dlsym(library, "vips_thumbnail_buffer"),
            let write = dlsym(library, "vips_image_write_to_memory"),
            let unref = dlsym(library, "g_object_unref"), let free = dlsym(library, "g_free"),
            unsafeBitCast(initialise, to: Initialise.self)("calotype-benchmarks") == 0
        else { return nil }
        // It remembers the results of its operations, and would decode the same bytes only once.
        unsafeBitCast(setCache, to: SetCache.self)(0)
        self.thumbnail = thumbnail
        self.write = unsafeBitCast(write, to: Write.self)
        self.unref = unsafeBitCast(unref, to: Release.self)
        self.free = unsafeBitCast(free, to: Release.self)
    }

    /// Decodes and scales, with as many threads as it likes, and lets the pixels go.
    func thumbnail(_ data: Data, width: Int) throws {
        var image: UnsafeMutableRawPointer?
        try data.withUnsafeBytes { bytes in
            // It reads the bytes and never writes to them.
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            guard calotype_vips_thumbnail(thumbnail, start, bytes.count, &image, Int32(width)) == 0, let image else {
                throw BenchError("libvips made no thumbnail")
            }
            defer { unref(image) }
            // It computes the pixels only now.
            var count = 0
            guard let pixels = write(image, &count), count > 0 else { throw BenchError("libvips gave no pixels") }
            free(pixels)
        }
    }
}
