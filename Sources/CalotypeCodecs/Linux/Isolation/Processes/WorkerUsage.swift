import CSandbox
import CalotypeBase
import Glibc

/// The memory, the processor time and the threads of a worker, as the kernel counts them.
struct WorkerUsage: Sendable {
    /// The maximum number of threads of a worker. librsvg and, since version 1.52, pango keep one each, and libde265 has
    /// one for each image.
    static let mostThreads = 4 + (Sanitizer.isThread ? 1 : 0)

    /// The file `/proc/PID/statm`, which states the memory of the process in pages; `nil` if it cannot be opened.
    private let memory: SharedDescriptor?
    /// The folder `/proc/PID/task`, whose links are two and one for each thread; `nil` if it cannot be opened, or if the
    /// worker cannot start threads.
    private let tasks: SharedDescriptor?
    private let process: pid_t

    init(_ process: pid_t, countsThreads: Bool) {
        self.process = process
        memory = SharedDescriptor(open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC))
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        tasks = countsThreads ? SharedDescriptor(open("/proc/\(process)/task", flags)) : nil
    }

    /// The memory that the worker has mapped, in bytes, or `nil` if it has ended.
    var mappedBytes: Int? {
        guard let memory else { return nil }
        var text = [UInt8](repeating: 0, count: 64)
        let count = pread(memory.number, &text, text.count, 0)
        guard count > 0 else { return nil }
        let pages = text.prefix { (0x30...0x39).contains($0) }.reduce(0) { 10 * $0 + Int($1 - 0x30) }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The processor time that all threads of the worker have had since its start, or `nil` if it has ended.
    var processorTime: Duration? {
        let nanoseconds = calotype_processor_time(process)
        return nanoseconds < 0 ? nil : .nanoseconds(nanoseconds)
    }

    /// Whether the worker keeps more than ``mostThreads``.
    ///
    /// A larger number must last for 100 ms: a thread counts until the kernel has removed it, and earlier versions of pango
    /// start two threads for a moment for each new font.
    var hasTooManyThreads: Bool {
        guard let tasks else { return false }
        for _ in 0..<100 {
            guard tasks.use(calotype_threads) > Self.mostThreads else { return false }
            poll(nil, 0, 1)
        }
        return true
    }
}

/// The memory that a worker may map.
package struct MemoryAllowance: Hashable, Sendable {
    /// The maximum size in bytes of the memory that a worker may keep between images, beyond its memory before the
    /// first file. The C library's heap keeps less of what codecs have freed.
    package static let keepable = 64 << 20

    /// The memory before the first file, in bytes.
    let base: Int
    /// The maximum size in bytes of the open animation.
    private var animation = 0

    package init(base: Int) { self.base = base }

    /// Returns the memory for one image in addition to kept memory and shared regions, in bytes.
    package static func bytes(forCost cost: Int) -> Int {
        let (twice, overflow) = cost.multipliedReportingOverflow(by: 2)
        return overflow ? Int.max >> 2 : min(twice + 32_000_000, Int.max >> 2)
    }

    /// Returns the limit on mapped memory during a request, in bytes.
    ///
    /// - Parameters:
    ///   - mapped: The memory that is mapped now.
    ///   - regions: The memory of shared regions that are larger than at the start.
    ///   - image: The result of `bytes(forCost:)`.
    package func limit(mapped: Int, regions: Int, image: Int) -> Int {
        base + min(max(mapped - base, 0), Self.keepable + animation) + regions + image
    }

    /// Returns whether a worker keeps too much memory after a request.
    package func isExceeded(by mapped: Int, regions: Int) -> Bool {
        mapped > base + Self.keepable + animation + regions
    }

    /// Permits the worker to keep an animation of this size, or none if 0, until the next file.
    package mutating func open(animation bytes: Int) { animation = bytes }
}

/// The sanitizers that this program was built with.
enum Sanitizer {
    /// The address sanitizer maps terabytes, which no limit on memory would allow.
    static let isAddress = dlsym(nil, "__asan_init") != nil
    /// The thread sanitizer starts a thread.
    static let isThread = dlsym(nil, "__tsan_init") != nil
}
