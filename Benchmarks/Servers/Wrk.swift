import Foundation

/// The load generator wrk, which requests one URL in one thread, as fast as responses arrive.
struct Wrk {
    struct Target {
        let url: String
        /// Header lines to add to the request.
        let fields: [String]
        /// The paths to request in turn. If `nil`, the client requests the URL alone.
        let paths: WrkPaths?

        init(_ url: String, fields: [String] = [], paths: WrkPaths? = nil) {
            (self.url, self.fields, self.paths) = (url, fields, paths)
        }
    }

    struct Result {
        let requestsPerSecond: Double
        /// The latency that 99 % of the requests do not exceed, in milliseconds.
        let p99: Double
    }

    private let executable: String

    /// Finds wrk, or returns `nil` if it is not installed.
    init?() {
        guard let path = Tool.path("wrk") else { return nil }
        executable = path
    }

    /// Runs wrk once.
    ///
    /// - Throws: An error if wrk reports an error status or a failed connection, which would distort the figures.
    func run(_ target: Target, seconds: Int, connections: Int = 32) throws -> Result {
        let output = try Tool.run(
            executable,
            ["-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "30s", "--latency"]
                + (target.paths.map { ["-s", $0.script] } ?? []) + target.fields.flatMap { ["-H", $0] }
                + [target.url])
        guard let rate = value(behind: "Requests/sec:", in: output).flatMap(Double.init),
            let p99 = value(behind: "99%", in: output).flatMap(milliseconds)
        else { throw BenchError("unexpected output of wrk:\n\(output)") }
        guard !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw BenchError("some responses were not successful:\n\(output)")
        }
        return Result(requestsPerSecond: rate, p99: p99)
    }

    /// Measures both targets alternately, five times each, after one unmeasured run of each that fills the caches.
    func compare(
        _ bench: Bench, ours: Target, theirs: Target, connections: Int = 32
    ) throws -> [(ours: Result, theirs: Result)] {
        let length = bench.isQuick ? 2 : 5
        for target in [ours, theirs] { _ = try run(target, seconds: 1, connections: connections) }
        return try (0..<5).map { pair in
            if pair.isMultiple(of: 2) {
                let first = try run(ours, seconds: length, connections: connections)
                return (first, try run(theirs, seconds: length, connections: connections))
            }
            let first = try run(theirs, seconds: length, connections: connections)
            return (try run(ours, seconds: length, connections: connections), first)
        }
    }

    private func value(behind label: String, in output: String) -> String? {
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0] == label { return String(words[1]) }
        }
        return nil
    }

    private func milliseconds(_ text: String) -> Double? {
        for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1000)] where text.hasSuffix(unit) {
            return Double(text.dropLast(unit.count)).map { $0 * factor }
        }
        return nil
    }
}

/// A script for wrk, which requests many paths in turn.
final class WrkPaths: Sendable {
    /// The path of the script.
    let script: String
    private let scratch: ScratchDirectory

    init(_ paths: [String]) throws {
        scratch = try ScratchDirectory()
        script = "\(scratch.path)/paths.lua"
        let list = "\(scratch.path)/paths"
        try paths.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
        let text = """
            local requests, number = {}, 0
            function init()
                for path in io.lines("\(list)") do requests[#requests + 1] = wrk.format("GET", path) end
            end
            function request()
                number = number % #requests + 1
                return requests[number]
            end
            """
        try text.write(toFile: script, atomically: true, encoding: .utf8)
    }
}

/// Finds and runs installed programs.
enum Tool {
    static func path(_ name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program, and returns its output.
    static func run(_ executable: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("\(executable) failed") }
        return String(decoding: data, as: UTF8.self)
    }
}
