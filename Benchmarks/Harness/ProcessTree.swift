import Foundation

/// A process and its descendants, by the counters in /proc.
struct ProcessTree {
    let root: Int32

    /// Returns the processor time of all processes since they started, in seconds: user and system time, including
    /// children that have ended.
    func processorSeconds() throws -> Double {
        let ticks = try members().reduce(0) { $0 + $1.ticks }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the number of bytes that all processes have read from files, pipes and sockets.
    func bytesRead() throws -> Double {
        try members().reduce(0) { sum, member in
            let counters = try String(contentsOfFile: "/proc/\(member.id)/io", encoding: .utf8)
            let words = counters.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, words[0] == "rchar:", let count = Double(words[1]) else {
                throw BenchError("/proc/\(member.id)/io has no rchar")
            }
            return sum + count
        }
    }

    /// Returns the memory of all processes, in bytes. A page that processes share counts once in the sum (PSS).
    func proportionalBytes() throws -> Double {
        try members().reduce(0) { $0 + (Self.proportionalBytes(of: $1.id) ?? 0) }
    }

    /// Returns the proportional set size of a process, in bytes, or `nil` if the process has ended.
    static func proportionalBytes(of process: Int32) -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kilobytes * 1024
    }

    /// Returns the number of open descriptors of all processes.
    func descriptors() throws -> Int {
        try members().reduce(0) { sum, member in
            sum + ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(member.id)/fd")) ?? []).count
        }
    }

    /// Ends all processes, each parent before its children, because the parent would start its children again.
    func terminate() {
        for member in (try? members()) ?? [] { kill(member.id, SIGTERM) }
    }

    private struct Member {
        let id: Int32
        let parent: Int32
        let ticks: Int

        /// Reads /proc/ID/stat, or returns `nil` for a process that has ended.
        init?(id: Int32) {
            guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                // A program's name may contain spaces and parentheses.
                let name = text.lastIndex(of: ")")
            else { return nil }
            let words = text[name...].split(separator: " ")
            // utime, stime, cutime and cstime: fields 14 to 17 of proc(5), where the name is the second one.
            guard words.count > 15, let parent = Int32(words[2]) else { return nil }
            self.id = id
            self.parent = parent
            ticks = words[12...15].reduce(0) { $0 + (Int($1) ?? 0) }
        }
    }

    private func members() throws -> [Member] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        var others = names.compactMap { Int32($0) }.compactMap(Member.init)
        var found = others.filter { $0.id == root }
        guard !found.isEmpty else { throw BenchError("a measured server has ended") }
        var next = 0
        while next < found.count {
            let parent = found[next].id
            found += others.filter { $0.parent == parent }
            others.removeAll { $0.parent == parent }
            next += 1
        }
        return found
    }
}
