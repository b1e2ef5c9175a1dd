#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder whose path the system refuses, even to root, because it lies too deep. Removed with this object.
package final class UnreadableFolder: Sendable {
    private static let name = String(repeating: "d", count: 250)
    private static let depth = 20

    /// The open folders from the outside in, of which each but the last contains the next.
    private let folders: [Int32]

    /// - Parameter path: An existing folder, which can be read.
    package init(below path: String) {
        var folders = [open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)]
        for _ in 0..<Self.depth {
            let outer = folders[folders.count - 1]
            mkdirat(outer, Self.name, 0o777)
            folders.append(openat(outer, Self.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        }
        self.folders = folders
    }

    deinit {
        for outer in folders.dropLast().reversed() { unlinkat(outer, Self.name, AT_REMOVEDIR) }
        for folder in folders { close(folder) }
    }
}
