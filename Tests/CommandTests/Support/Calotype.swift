import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The built command, run as a child in a temporary directory.
final class Calotype: Sendable {
    /// The child's current directory, which starts empty.
    let directory: URL
    /// The directory of the child's cache, home and temporary files, outside the current one so that leftovers are
    /// visible.
    let place: URL

    struct Ending {
        let status: Int32
        let output: Data
        let errors: String

        var lines: [String] { String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) }
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    init() throws {
        place = FileManager.default.temporaryDirectory.appending(path: "calotype-command-\(UUID().uuidString)")
        directory = place.appending(path: "work")
        for name in ["work", "cache", "home", "tmp"] {
            try FileManager.default.createDirectory(
                at: place.appending(path: name), withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(at: place) }

    /// Runs the command to its end.
    func callAsFunction(
        _ arguments: String..., input: Data = Data(), environment: [String: String] = [:]
    ) async throws -> Ending {
        try await start(arguments, input: input, environment: environment).ending()
    }

    func start(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) throws -> Child {
        try Child(arguments, in: self, input: input, environment: environment)
    }

    /// The names in the current directory, hidden ones included.
    var files: [String] { names(in: directory) }
    var temporaryFiles: [String] { names(in: place.appending(path: "tmp")) }

    func contents(_ name: String) throws -> Data { try Data(contentsOf: directory.appending(path: name)) }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let url = directory.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    private func names(in directory: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }
}

/// One run of the command. Its output goes to files, so that it never waits for a reader.
final class Child: Sendable {
    private let process: Process
    private let end: Task<Int32, Never>
    private let output: URL
    private let errors: URL

    /// - Parameter program: A program other than the command, such as a shell that calls it.
    init(
        _ arguments: [String], in calotype: Calotype, input: Data, environment: [String: String],
        program: String? = nil
    ) throws {
        let number = UUID().uuidString
        output = calotype.place.appending(path: "\(number).out")
        errors = calotype.place.appending(path: "\(number).err")
        let stdin = calotype.place.appending(path: "\(number).in")
        for (url, data) in [(output, Data()), (errors, Data()), (stdin, input)] { try data.write(to: url) }

        let process = Process()
        process.executableURL = program.map { URL(fileURLWithPath: $0) } ?? Child.executable
        process.arguments = arguments
        process.currentDirectoryURL = calotype.directory
        process.environment = Child.environment(in: calotype, environment)
        process.standardInput = try FileHandle(forReadingFrom: stdin)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)

        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        end = Task { await ends.first { _ in true } ?? -1 }
        // A script runs its background jobs with SIGINT ignored, and children inherit that.
        signal(SIGINT, SIG_DFL)
        try process.run()
        self.process = process
    }

    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    func ending() async throws -> Calotype.Ending {
        let status = await end.value
        return Calotype.Ending(
            status: status, output: try Data(contentsOf: output),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// The executable, beside the test bundle.
    static var executable: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "calotype")
    }

    static func environment(in calotype: Calotype, _ more: [String: String]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        let inherited = [
            "NO_COLOR", "COLUMNS", "http_proxy", "HTTP_PROXY", "LLVM_PROFILE_FILE", "XDG_CONFIG_HOME", "TMUX", "STY",
            "TERM_PROGRAM", "COLORTERM", "KITTY_WINDOW_ID",
        ]
        for name in inherited + environment.keys.filter({ $0.hasPrefix("CALOTYPE_") }) {
            environment[name] = nil
        }
        environment["XDG_CACHE_HOME"] = calotype.place.appending(path: "cache").path
        environment["HOME"] = calotype.place.appending(path: "home").path
        environment["TMPDIR"] = calotype.place.appending(path: "tmp").path
        return environment.merging(more) { _, new in new }
    }
}
