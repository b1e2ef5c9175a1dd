/// The Linux control groups that limit a process's memory.
struct ControlGroups: Equatable {
    /// The group in the unified hierarchy (v2), such as "/system.slice/calotype.service", if the process is in it.
    var unified: String?
    /// The group in the memory controller's separate hierarchy (v1), if the process is in it.
    var memory: String?

    /// - Parameter text: The contents of `/proc/self/cgroup`: lines of "hierarchy:controllers:path".
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
            if fields[0] == "0", fields[1].isEmpty { unified = String(fields[2]) }
            if fields[1].split(separator: ",").contains("memory") { memory = String(fields[2]) }
        }
    }

    /// Returns the files that may contain a memory limit of the group itself or of an enclosing group.
    func memoryLimitFiles(root: String = "") -> [String] {
        let second = unifiedDirectories(root: root).flatMap { ["\($0)/memory.max", "\($0)/memory.high"] }
        let first = directories(of: memory, under: "\(root)/sys/fs/cgroup/memory").map { "\($0)/memory.limit_in_bytes" }
        return second + first
    }

    /// Returns the files that may report stalls for lack of memory, the most specific first.
    func memoryPressureFiles(root: String = "") -> [String] {
        unifiedDirectories(root: root).map { "\($0)/memory.pressure" } + ["\(root)/proc/pressure/memory"]
    }

    /// Returns the directories under both possible mount points of the unified hierarchy, the second of which is used
    /// next to v1 hierarchies.
    private func unifiedDirectories(root: String) -> [String] {
        ["\(root)/sys/fs/cgroup", "\(root)/sys/fs/cgroup/unified"].flatMap { directories(of: unified, under: $0) }
    }

    /// Returns the directories from the group up to the mount point. In a container only the mount point may exist.
    private func directories(of group: String?, under mount: String) -> [String] {
        guard let group else { return [] }
        let names = group.split(separator: "/").filter { $0 != ".." }
        return (0...names.count).reversed().map { depth in
            names.prefix(depth).reduce(mount) { path, name in "\(path)/\(name)" }
        }
    }
}
