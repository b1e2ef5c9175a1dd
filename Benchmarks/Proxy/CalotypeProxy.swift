import Foundation

/// `calotype proxy` in a separate process. `Scripts/bench` builds the command beside this executable.
final class CalotypeProxy {
    let url: String
    private let process = Process()

    /// - Parameter store: a directory for the bodies. If `nil`, they stay in memory.
    init(origin: String, store: String? = nil) throws {
        let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let output = Pipe()
        process.executableURL = here.appending(path: "calotype")
        process.arguments =
            ["proxy", "--listen", "127.0.0.1:0", "--origin", origin] + (store.map { ["--store", $0] } ?? [])
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([UInt8(ascii: "\n")]) {
            line.append(byte)
        }
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "," }
        guard let url = words.first(where: { $0.hasPrefix("http://") }) else {
            throw BenchError("calotype proxy does not start")
        }
        self.url = String(url)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
