import Foundation

/// `calotype` as a server in a separate process. `Scripts/bench` builds the program next to this executable.
final class CalotypeProcess: Sendable {
    let url: String
    /// The URL of the server for health, metrics and purges, or `nil` without one.
    let adminURL: String?
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
    ///   - port: The port. With 0 (the default), the system chooses a free one.
    ///   - options: Further options of the command. With `--admin`, the server prints a second URL.
    ///   - onLine: Called on a thread with each line of the server's log.
    ///   - onBytes: Called on a thread with the bytes of the log as they arrive. With neither of both, the log goes to
    ///     standard error.
    static func serve(
        root: String, allowed: String? = nil, store: String? = nil, port: UInt16 = 0, options: [String] = [],
        onLine: (@Sendable (String) -> Void)? = nil, onBytes: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) throws -> CalotypeProcess {
        let arguments =
            ["--root", root] + (allowed.map { ["--allow-source", $0, "--allow-address", "127.0.0.0/8"] } ?? [])
        return try CalotypeProcess(
            "serve", arguments + (store.map { ["--store", $0] } ?? []) + options, port: port,
            environment: ["IMGPROXY_KEY": ThumbnailURL.key, "IMGPROXY_SALT": ThumbnailURL.salt].merging(
                ObjectStoreProcess.keys
            ) { $1 },
            onBytes: onBytes ?? onLine.map { FileHandle.splitting(to: $0) })
    }

    private init(
        _ command: String, _ arguments: [String], port: UInt16 = 0, environment: [String: String] = [:],
        onBytes: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) throws {
        let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let output = Pipe()
        process.executableURL = here.appending(path: "calotype")
        process.arguments = [command, "--listen", "127.0.0.1:\(port)"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let errors = onBytes.map { _ in Pipe() }
        if let errors { process.standardError = errors }
        try process.runOnTwoProcessors()
        if let onBytes { errors?.fileHandleForReading.readBytes(onBytes) }
        // Among them may be lines without a URL.
        func nextURL() throws -> String {
            while true {
                let line = try output.fileHandleForReading.readLine()
                guard !line.isEmpty else { throw BenchError("calotype \(command) does not start") }
                let words = line.split { $0 == " " || $0 == "," }
                if let url = words.first(where: { $0.hasPrefix("http://") }) { return String(url) }
            }
        }
        url = try nextURL()
        adminURL = arguments.contains("--admin") ? try nextURL() : nil
    }

    deinit { end() }

    /// Ends the process, and waits until it has ended.
    ///
    /// - Parameter signal: The signal. The default lets requests in flight end.
    func end(by signal: Int32 = SIGTERM) {
        guard process.isRunning else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }
    var tree: ProcessTree { ProcessTree(root: process.processIdentifier) }
}
