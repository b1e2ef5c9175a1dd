import Foundation

/// `calotype` as a server in a separate process. `Scripts/bench` builds the program next to this executable.
final class CalotypeProcess {
    let url: String
    private let process = Process()

    /// Starts a caching proxy.
    ///
    /// - Parameter store: A directory for the cached bodies. If `nil`, the proxy caches them in memory.
    static func proxy(origin: String, store: String? = nil) throws -> CalotypeProcess {
        try CalotypeProcess("proxy", ["--origin", origin] + (store.map { ["--store", $0] } ?? []))
    }

    /// Starts a thumbnail server that accepts only signed URLs.
    ///
    /// - Parameters:
    ///   - root: The directory of the server's local sources.
    ///   - allowed: The origin whose sources the server loads. The default is `nil`, for local sources only.
    ///   - store: A directory for results and originals. If `nil`, the server caches them in memory.
    static func serve(root: String, allowed: String? = nil, store: String? = nil) throws -> CalotypeProcess {
        let arguments =
            ["--root", root] + (allowed.map { ["--allow-source", $0, "--allow-address", "127.0.0.0/8"] } ?? [])
        return try CalotypeProcess(
            "serve", arguments + (store.map { ["--store", $0] } ?? []),
            environment: ["IMGPROXY_KEY": ThumbnailURL.key, "IMGPROXY_SALT": ThumbnailURL.salt])
    }

    private init(_ command: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let output = Pipe()
        process.executableURL = here.appending(path: "calotype")
        process.arguments = [command, "--listen", "127.0.0.1:0"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.runOnTwoProcessors()
        let words = try output.fileHandleForReading.readLine().split { $0 == " " || $0 == "," }
        guard let url = words.first(where: { $0.hasPrefix("http://") }) else {
            throw BenchError("calotype \(command) does not start")
        }
        self.url = String(url)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    var tree: ProcessTree { ProcessTree(root: process.processIdentifier) }
}
