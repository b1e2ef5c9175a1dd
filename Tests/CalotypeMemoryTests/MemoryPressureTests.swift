@testable import CalotypeMemory
import CalotypeTesting
import Foundation
import Requirements
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct MemoryPressureTests {
    @Test func `the kernel's figure is read`() {
        let text = "some avg10=12.50 avg60=0.12 avg300=0.00 total=123\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=1\n"
        #expect(PressureReading(parsing: text)?.stalled == 12.5)
        for text in ["", "some", "some avg10=", "some avg10=x", "some avg10=nan", "some avg10=-1", "full avg10=1.00"] {
            #expect(PressureReading(parsing: text) == nil)
        }
    }

    @Test func `the group is asked first, then the machine`() {
        let files = ControlGroups(parsing: "0::/a\n").memoryPressureFiles()
        #expect(files.first == "/sys/fs/cgroup/a/memory.pressure")
        #expect(files.last == "/proc/pressure/memory")
    }

    @Test(.requirement("B31")) func `where the figure has to be read, the cache shrinks while it is high`() async throws
    {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("pressure-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func write(_ percent: String) throws { try Data("some avg10=\(percent) avg60=0\n".utf8).write(to: file) }
        try write("9.99")
        let clock = ManualClock()
        let cache = MemoryCache<Int>(options: MemoryCacheOptions(costLimit: 100, entryCostLimit: 100)) { $0 }
        cache.store(value: 60, for: CacheKey("a"))
        cache.store(value: 40, for: CacheKey("b"))
        let monitor = MemoryPressureMonitor(files: ["/nowhere", file.path], clock: clock, isNotified: false) {
            cache.shrink()
        }
        #expect(monitor.mode == .polling)

        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        await clock.waitForSleepers(1)
        #expect(cache.statistics.cost == 100)

        try write("10.00")
        clock.advance(by: .seconds(2))
        await clock.waitForSleepers(1)
        #expect(cache.statistics.cost == 40)
        withExtendedLifetime(monitor) {}
    }

    @Test func `without any figure there is no monitor, and no call`() {
        let monitor = MemoryPressureMonitor(files: ["/nowhere"], clock: ManualClock()) { Issue.record("called") }
        #expect(monitor.mode == .unavailable)
    }

    @Test func `a monitor that is let go stops reading`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("pressure-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("some avg10=99.00\n".utf8).write(to: file)
        let clock = ManualClock()
        var monitor: MemoryPressureMonitor? = MemoryPressureMonitor(
            files: [file.path], clock: clock, isNotified: false
        ) { Issue.record("called") }
        await clock.waitForSleepers(1)
        #expect(monitor?.mode == .polling)
        monitor = nil
        #expect(clock.sleepers == 0)
        clock.advance(by: .seconds(10))
        #expect(clock.sleepers == 0)
    }

    #if os(Linux)
        @Test(.requirement("B31")) func `what the kernel reports calls back, again and again, until let go`()
            async throws
        {
            let (writer, reader) = try #require(connectedPair())
            let (calls, call) = AsyncStream.makeStream(of: Void.self)
            var trigger = PressureTrigger(descriptor: reader) {
                // Takes the notification off the socket, as the kernel does for its own file.
                var byte: UInt8 = 0
                _ = recv(reader, &byte, 1, Int32(MSG_OOB))
                call.yield()
            }
            #expect(trigger != nil)
            var iterator = calls.makeAsyncIterator()
            for _ in 0..<3 {
                var byte: UInt8 = 1
                #expect(send(writer, &byte, 1, Int32(MSG_OOB)) == 1)
                await iterator.next()
            }
            trigger = nil
            // The thread has closed its end when the other end reads to the end.
            var byte: UInt8 = 0
            #expect(recv(writer, &byte, 1, 0) <= 0)
            close(writer)
        }

        @Test func `the kernel's own file takes the request where it lets us`() {
            let monitor = MemoryPressureMonitor {}
            let isWritable = access("/proc/pressure/memory", W_OK) == 0
            if isWritable { #expect([.notified, .polling].contains(monitor.mode)) }
        }

        /// Returns two ends of a TCP connection, on which `POLLPRI` reports urgent data.
        private func connectedPair() -> (Int32, Int32)? {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let writer = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(listener, address, length) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, address, &length) == 0 && connect(writer, address, length) == 0
                }
            }
            let reader = isConnected ? accept(listener, nil, nil) : -1
            return reader >= 0 ? (writer, reader) : nil
        }
    #endif
}
