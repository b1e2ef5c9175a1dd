import CalotypeTesting
import TestSupport
import Foundation

/// thumbor with two processes, in the Python environment that `Scripts/bench` creates.
///
/// Its thumbnails are encoded like ours: the same qualities, no progressive JPEG, and libwebp's effort 4.
final class Thumbor {
    /// The program, or `nil` if thumbor could not be installed.
    static var executable: String? {
        ProcessInfo.processInfo.environment["CALOTYPE_BENCH_THUMBOR"].flatMap {
            FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil
        }
    }

    let url: String
    private let executable: String
    private let process = Process()
    private let scratch: ScratchDirectory

    /// - Parameters:
    ///   - root: The directory of the sources.
    ///   - storesResults: Whether thumbor keeps results in files. The default is `false`.
    init(executable: String, root: String, storesResults: Bool = false) throws {
        self.executable = executable
        scratch = try ScratchDirectory()
        let port = try freePort()
        url = "http://127.0.0.1:\(port)"
        let file = "\(scratch.path)/thumbor.conf"
        try Self.configuration(root, results: storesResults ? "\(scratch.path)/results" : nil)
            .write(toFile: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = ["-i", "127.0.0.1", "-p", "\(port)", "-c", file, "-l", "error", "--processes", "2"]
        process.standardInput = FileHandle.nullDevice
        try process.start(on: port, "thumbor")
    }

    deinit {
        tree.terminate()
        process.waitUntilExit()
    }

    var tree: ProcessTree { ProcessTree(root: process.processIdentifier) }

    /// Returns the signed URL of a thumbnail.
    func signed(_ photo: String, width: Int) throws -> String {
        let output = try Tool.run(executable + "-url", ["-k", Self.key, "-w", "\(width)", photo])
        guard let path = output.split(separator: "\n").last(where: { $0.hasPrefix("/") }) else {
            throw BenchError("thumbor-url printed no path")
        }
        return url + path
    }

    private static let key = "calotype-benchmarks"

    private static func configuration(_ root: String, results: String?) -> String {
        let storage = results.map { path in
            """
            RESULT_STORAGE = 'thumbor.result_storages.file_storage'
            RESULT_STORAGE_FILE_STORAGE_ROOT_PATH = '\(path)'
            """
        }
        return """
            SECURITY_KEY = '\(key)'
            ALLOW_UNSAFE_URL = True
            LOADER = 'thumbor.loaders.file_loader'
            FILE_LOADER_ROOT_PATH = '\(root)'
            STORAGE = 'thumbor.storages.no_storage'
            QUALITY = 80
            WEBP_QUALITY = 79
            PROGRESSIVE_JPEG = False
            \(storage ?? "")
            """
    }
}
