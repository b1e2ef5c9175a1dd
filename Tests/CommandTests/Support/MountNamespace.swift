import Foundation

/// The mounts of a child process, which no other process has. They need root.
enum MountNamespace {
    /// Whether the tests can mount something for a child on this machine.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Returns the command that mounts a disk in memory.
    static func disk(of size: String, at path: String) -> String { "mount -t tmpfs -o size=\(size) tmpfs '\(path)'" }

    /// Returns the command that mounts a file over another.
    static func file(_ path: String, over other: String) -> String { "mount --bind '\(path)' '\(other)'" }
}
