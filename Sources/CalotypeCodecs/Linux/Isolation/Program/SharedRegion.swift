import CSandbox
import CalotypeBase
import Glibc

/// Memory shared between the program and a worker, as mapped in this process.
// Unchecked: one thread at a time uses a region.
final class SharedRegion: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let isWritable: Bool
    /// A second mapping of a region for pixels, which `bytes` maps for reading only.
    private var writable: SharedRegion?

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Maps a region of `count` bytes. Returns `nil` if `count` is 0 or the mapping fails.
    ///
    /// - Parameter isFilled: Whether the whole region will be written: `mmap` then populates all pages at once, which
    ///   is faster than one fault per page.
    init?(mapping file: SharedDescriptor, count: Int, isWritable: Bool, isFilled: Bool = false) {
        let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        let flags = isFilled ? MAP_SHARED | MAP_POPULATE : MAP_SHARED
        let start = count > 0 ? file.use { mmap(nil, count, protection, flags, $0, 0) } : nil
        guard let start, start != MAP_FAILED else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
        self.isWritable = isWritable
    }

    /// Returns the pages to the system, in all processes that map the region, which then reads as zeros. Returns `false` if
    /// that fails, or if this process has never written to the region.
    func freePages() -> Bool {
        guard let bytes = (writable ?? (isWritable ? self : nil))?.bytes else { return false }
        return madvise(bytes.baseAddress, bytes.count, MADV_REMOVE) == 0
    }

    typealias New = (region: SharedRegion, descriptor: SharedDescriptor)

    /// Creates a region that this process writes and the worker reads.
    static func forFiles(_ count: Int) -> New? {
        guard let file = SharedDescriptor(calotype_region(count)),
            let reading = SharedDescriptor(file.use(calotype_reading)),
            let region = SharedRegion(mapping: file, count: count, isWritable: true)
        else { return nil }
        return (region, reading)
    }

    /// Creates a region that the worker writes and this process reads.
    ///
    /// The region is sealed before the worker gets it: if the worker could shorten it, SIGBUS would end this process.
    static func forPixels(_ count: Int) -> New? {
        guard let file = SharedDescriptor(calotype_region(count)),
            let region = SharedRegion(mapping: file, count: count, isWritable: false)
        else { return nil }
        return (region, file)
    }

    /// Overwrites the first bytes with zeros, in all processes that map the region. Returns `false` if that fails.
    ///
    /// Keeps a writable mapping for the next time: `pwrite` takes six times as long.
    func clear(_ file: SharedDescriptor, count: Int) -> Bool {
        guard count > 0 else { return true }
        if writable == nil { writable = SharedRegion(mapping: file, count: bytes.count, isWritable: true) }
        guard let writable else { return false }
        UnsafeMutableRawBufferPointer(rebasing: writable.bytes[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
        return true
    }

    /// Returns the size of a region for `count` bytes: a power of two, so that files of similar sizes reuse it.
    static func capacity(for count: Int) -> Int {
        guard count > smallest else { return smallest }
        guard count < 1 << 40 else { return count }
        return 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// The size of the regions that a worker starts with, in bytes. Pages that were never written take no memory.
    static let smallest = 1 << 20
    /// The size, in bytes, above which the program and the worker unmap an input region after one image.
    static let largestKept = 16 << 20
}

/// The sizes of the regions whose memory one worker keeps for later images.
struct KeptRegions: Hashable, Sendable {
    /// The size in bytes above which a pixel region serves only one image.
    let pixels: Int
    /// The size in bytes above which the pages of a file are returned to the system after one image.
    let files: Int

    /// The sizes for a pool without a limit of its own: all workers together keep 128 MiB of pixels.
    init(workers: Int) { (pixels, files) = ((128 << 20) / max(workers, 1), SharedRegion.largestKept) }

    /// - Parameter total: The maximum memory in bytes that all workers of a pool keep, half of it for files.
    init(workers: Int, total: Int) {
        pixels = max(total, 0) / 2 / max(workers, 1)
        files = min(pixels, SharedRegion.largestKept)
    }
}
