import Foundation

/// How much memory there is for this process.
package enum PhysicalMemory {
    /// Bytes: what the machine has, or what the process's control groups allow it, whichever is less.
    ///
    /// Reads `/proc/meminfo` and the limits (cgroup v2: `memory.max` and `memory.high`; v1: `memory.limit_in_bytes`) of
    /// the process's group and all groups around it, as containers and systemd set them.
    ///
    /// - Parameter root: stands for `/`, for tests.
    package static func limit(root: String) -> Int {
        let machine = read("\(root)/proc/meminfo").flatMap(totalBytes(inMemInfo:)) ?? installedBytes
        let groups = ControlGroups(parsing: read("\(root)/proc/self/cgroup") ?? "")
        let limits = groups.memoryLimitFiles(root: root).compactMap { read($0).flatMap(bytes(inLimit:)) }
        return limits.reduce(machine, min)
    }

    /// Bytes: what the machine has, or what the system lets this process have, whichever is less.
    ///
    /// - Parameter available: What the process may still allocate. 0 if the system does not tell.
    package static func limit(installed: Int, available: Int) -> Int {
        available > 0 ? min(installed, available) : installed
    }

    /// "MemTotal:       24683520 kB" → bytes.
    package static func totalBytes(inMemInfo text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("MemTotal:") {
            guard let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), kilobytes > 0,
                kilobytes < .max >> 10
            else { return nil }
            return kilobytes << 10
        }
        return nil
    }

    /// A limit's file: a number of bytes, or "max" for none, which is nil.
    package static func bytes(inLimit text: String) -> Int? {
        Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 0 ? $0 : nil }
    }

    static var installedBytes: Int { Int(clamping: ProcessInfo.processInfo.physicalMemory) }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
