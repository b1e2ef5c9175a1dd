@testable import CalotypeMemory
import Foundation
import Testing

@Suite struct PhysicalMemoryTests {
    @Test func `the machine's memory is read in bytes`() {
        #expect(
            PhysicalMemory.totalBytes(inMemInfo: "MemFree: 1 kB\nMemTotal:       24683520 kB\n") == 24_683_520 << 10)
        for text in ["", "MemTotal:", "MemTotal: x kB", "MemTotal: -3 kB", "MemTotal: 99999999999999999 kB"] {
            #expect(PhysicalMemory.totalBytes(inMemInfo: text) == nil)
        }
    }

    @Test(arguments: [
        ("max\n", nil), ("268435456\n", 268_435_456), ("", nil), ("0\n", nil), ("-1", nil), ("1 GB", nil),
    ])
    func `a group's limit is a number or none`(text: String, bytes: Int?) {
        #expect(PhysicalMemory.bytes(inLimit: text) == bytes)
    }

    @Test func `the groups of both versions are found`() {
        let groups = ControlGroups(
            parsing: "4:cpu,memory:/docker/ab:c\n3:cpuset:/\nnonsense\n0::/system.slice/x.service\n")
        #expect(groups.memory == "/docker/ab:c")
        #expect(groups.unified == "/system.slice/x.service")
        #expect(ControlGroups(parsing: "").memoryLimitFiles() == [])
    }

    @Test func `limits of all groups around the process are looked at`() {
        let groups = ControlGroups(parsing: "4:memory:/a/b\n0::/c\n")
        #expect(
            groups.memoryLimitFiles() == [
                "/sys/fs/cgroup/c/memory.max", "/sys/fs/cgroup/c/memory.high", "/sys/fs/cgroup/memory.max",
                "/sys/fs/cgroup/memory.high", "/sys/fs/cgroup/unified/c/memory.max",
                "/sys/fs/cgroup/unified/c/memory.high", "/sys/fs/cgroup/unified/memory.max",
                "/sys/fs/cgroup/unified/memory.high", "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            ])
        let upward = ControlGroups(parsing: "0::/../../etc\n").memoryLimitFiles()
        #expect(upward.allSatisfy { !$0.contains("..") })
    }

    @Test func `the least of the machine's and the groups' limits holds`() throws {
        let machine = ["proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "5:memory:/a/b\n0::/c/d\n"]
        #expect(try limit(machine) == 8 << 30)
        #expect(try limit(machine, ["sys/fs/cgroup/c/d/memory.max": "max\n"]) == 8 << 30)
        #expect(try limit(machine, ["sys/fs/cgroup/c/memory.max": "1073741824\n"]) == 1 << 30)
        #expect(try limit(machine, ["sys/fs/cgroup/c/d/memory.high": "536870912\n"]) == 512 << 20)
        #expect(try limit(machine, ["sys/fs/cgroup/memory/a/memory.limit_in_bytes": "268435456\n"]) == 256 << 20)
        #expect(try limit(machine, ["sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712"]) == 8 << 30)
        #expect(try limit(machine, ["sys/fs/cgroup/memory.max": "134217728\n"]) == 128 << 20)
    }

    @Test func `without files the machine answers`() throws {
        #expect(try limit([:]) > 1 << 20)
        #expect(PhysicalMemory.limit() > 1 << 20)
    }

    @Test func `an extension's share counts in place of the device's, where the system tells it`() {
        #expect(PhysicalMemory.limit(installed: 8 << 30, available: 120 << 20) == 120 << 20)
        #expect(PhysicalMemory.limit(installed: 8 << 30, available: 0) == 8 << 30)
        #expect(PhysicalMemory.limit(installed: 1 << 30, available: 2 << 30) == 1 << 30)
    }

    @Test func `a cache takes 15 per cent of memory, 768 MB at most`() {
        #expect(MemoryCacheOptions.share(ofMemory: 1000) == 150)
        #expect(MemoryCacheOptions.share(ofMemory: 64 << 30) == 768 << 20)
        #expect(MemoryCacheOptions.share(ofMemory: .max) == 768 << 20)
        #expect(MemoryCacheOptions().costLimit == MemoryCacheOptions.share(ofMemory: PhysicalMemory.limit()))
    }

    /// Returns the limit in a tree of files made for the test.
    private func limit(_ trees: [String: String]...) throws -> Int {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in trees.joined() {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return PhysicalMemory.limit(root: root.path)
    }
}
