import CalotypeCodecs
import CSandbox
import Glibc

/// What a codec with a bug, or in an attacker's hands, may do.
package enum Fault: String, CaseIterable, Sendable {
    case none, damaged, crash, abort, stack, loop, half, garbage, gigabyte, flood, descriptor, allocate, map, file,
        socket, process, signal, trace, truncate, execute, exit, close, late, writesLate, writesNothing,
        readsOn, thread, threads, waits, keeps

    /// Does it. Returns if the codec goes on afterwards.
    func commit() throws(CodecError) {
        switch self {
        case .none, .late, .writesNothing, .readsOn: return
        case .damaged: throw CodecError(.damaged, "a damaged file")
        case .crash: Fault.crash()
        case .abort: Glibc.abort()
        case .stack: Fault.print(Fault.descend(1))
        case .loop: while true {}
        case .half: Fault.send(100)
        case .garbage: Fault.send(MemoryLayout<calotype_answer>.size)
        case .gigabyte:
            Fault.send(1 << 30)
            Fault.crash()
        case .flood: for _ in 0..<1_000_000 { Fault.send(MemoryLayout<calotype_answer>.size) }
        case .descriptor:
            var descriptor = Int32(CALOTYPE_SOCKET)
            _ = calotype_send(Int32(CALOTYPE_SOCKET), "a", 1, &descriptor, 1)
        case .allocate:
            // Not without end under the address sanitizer, which runs workers without a limit.
            for _ in 0..<1024 {
                guard let memory = malloc(1 << 20) else { break }
                memset(memory, 1, 1 << 20)
            }
            Fault.crash()
        case .map:
            let memory = mmap(nil, 1 << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            if memory == MAP_FAILED { Fault.crash() }
        case .file:
            let file = open("/etc/passwd", O_RDONLY)
            throw CodecError(.unsupported, file < 0 && errno == EACCES ? "EACCES" : "the file is open")
        case .socket: Fault.print(Int(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)))
        case .process: Fault.print(Int(calotype_fork()))
        case .signal: Glibc.kill(-1, SIGUSR1)
        case .trace: calotype_trace_anyone()
        case .truncate: ftruncate(Int32(CALOTYPE_OUTPUT), 0)
        case .execute: mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        case .exit: Glibc.exit(3)
        case .close:
            Glibc.close(Int32(CALOTYPE_SOCKET))
            while true { sched_yield() }
        case .thread:
            guard Fault.startThreads(1) == 1 else { throw CodecError(.unsupported, "no thread") }
        case .threads: _ = Fault.startThreads(50)
        case .waits:
            _ = Fault.startThreads(50)
            while true { Fault.pause() }
        case .keeps: memset(malloc(29 << 20), 1, 29 << 20)
        case .writesLate: Fault.kept?.initializeMemory(as: UInt8.self, repeating: 0x55)
        }
    }

    // Unsafe: a worker has one thread.
    private nonisolated(unsafe) static var kept: UnsafeMutableRawBufferPointer?

    /// Remembers the pixels of this image, for `writesLate`.
    func keep(_ pixels: UnsafeMutableRawBufferPointer) {
        if self == .late { Fault.kept = pixels }
    }

    /// Starts threads that never end. Returns the number of those that started.
    private static func startThreads(_ count: Int) -> Int {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, 64 << 10)
        return (0..<count).count { _ in
            var thread: pthread_t = 0
            return pthread_create(&thread, attributes, { _ in while true { Fault.pause() } }, nil) == 0
        }
    }

    private static func pause() {
        var time = timespec(tv_sec: 3600, tv_nsec: 0)
        nanosleep(&time, nil)
    }

    private static func crash() { UnsafeMutableRawPointer(bitPattern: 16)?.storeBytes(of: 1, as: UInt8.self) }

    private static func send(_ count: Int) {
        let message = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 8)
        memset(message, 0x11, min(count, 4096))
        _ = Glibc.send(Int32(CALOTYPE_SOCKET), message, count, 0)
        message.deallocate()
    }

    @inline(never)
    private static func descend(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { memory in
            memory[depth & 0xFFFF] = 1
            return descend(depth + 1) + Int(memory[0])
        }
    }

    private static func print(_ number: Int) { if number == 12_345 { Swift.print(number) } }
}
