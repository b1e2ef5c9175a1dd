import Foundation

/// The memory available to this process.
package enum PhysicalMemory {
    /// Returns the memory of the machine or the limit of the process's control groups, whichever is less, in bytes.
    ///
    /// Reads `/proc/meminfo` and the limits (cgroup v2: `memory.max` and `memory.high`; v1: `memory.limit_in_bytes`) of
    /// the process's group and all groups around it, as containers and systemd set them.
    ///
    /// - Parameter root: A directory in place of `/`, for tests.
    static func limit(root: String) -> Int {
        let machine = read("\(root)/proc/meminfo").flatMap(totalBytes(inMemInfo:)) ?? installedBytes
        let groups = ControlGroups(parsing: read("\(root)/proc/self/cgroup") ?? "")
        let limits = groups.memoryLimitFiles(root: root).compactMap { read($0).flatMap(bytes(inLimit:)) }
        return limits.reduce(machine, min)
    }

    /// Returns the memory of the machine or of the process, whichever is less, in bytes.
    ///
    /// - Parameter available: The bytes that the process may still allocate, or 0 if the system does not report them.
    static func limit(installed: Int, available: Int) -> Int {
        available > 0 ? min(installed, available) : installed
    }

    /// Returns the machine's memory in bytes from a line "MemTotal:       24683520 kB", or `nil` without a valid line.
    static func totalBytes(inMemInfo text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("MemTotal:") {
            guard let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }), kilobytes > 0,
                kilobytes < .max >> 10
            else { return nil }
            return kilobytes << 10
        }
        return nil
    }

    /// Parses a limit's file, which contains a number of bytes. Returns `nil` for "max" (no limit) and invalid text.
    static func bytes(inLimit text: String) -> Int? {
        Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).flatMap { $0 > 0 ? $0 : nil }
    }

    static var installedBytes: Int { Int(clamping: ProcessInfo.processInfo.physicalMemory) }

    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
