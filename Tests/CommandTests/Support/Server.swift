import CalotypeBase
import CalotypeTesting
import Foundation

@testable import calotype_command

/// `calotype proxy` or `serve`, run as a child until this object is released.
final class ServerChild: Sendable {
    private let process: Process
    private let end: Task<Int32, Never>
    let port: Int
    let adminPort: Int?

    /// Blocks until the server listens.
    ///
    /// - Parameters:
    ///   - descriptors: The child's limit of open files. If `nil`, the child has the limit of this process.
    ///   - fileBlocks: The size of a file that the child may write, in blocks of 512 or 1,024 bytes.
    ///   - names: The child's name server. If `nil`, the child uses that of the system.
    ///   - mounts: Commands of the shell that mount something for the child alone, which ``MountNamespace`` permits.
    ///   - environment: Further environment variables of the child.
    ///   - ignoresChildren: Whether the child inherits that SIGCHLD is ignored.
    ///   - errors: The file for the child's standard error. If `nil`, the child's messages are dropped.
    ///   - program: The command, or a copy of it.
    init(
        _ arguments: [String], expectsAdmin: Bool = false, descriptors: Int? = nil, fileBlocks: Int? = nil,
        names: SilentNameServer? = nil, mounts: [String] = [], environment: [String: String] = [:],
        ignoresChildren: Bool = false, errors: FileHandle? = nil, program: URL = Child.executable
    ) throws {
        let process = Process()
        let output = Pipe()
        let limits = [descriptors.map { "ulimit -n \($0)" }, fileBlocks.map { "trap '' XFSZ && ulimit -f \($0)" }]
            .compactMap(\.self)
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let mounts = (names?.mounts ?? []) + mounts
        if !(mounts + limits).isEmpty {
            let script = mounts + limits + ["exec \"$0\" \"$@\""]
            let shell = (mounts.isEmpty ? [] : ["unshare", "-m"]) + ["sh", "-c", script.joined(separator: " && ")]
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = shell + [program.path] + arguments
        } else {
            // A shell cannot ignore SIGCHLD.
            let launcher = ignoresChildren ? ["--ignore-signal=CHLD", program.path] : [program.path]
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = launcher + arguments
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors ?? FileHandle.nullDevice
        let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        end = Task { await ends.first { _ in true } ?? -1 }
        // A script runs its background jobs with SIGINT ignored, and children inherit that.
        signal(SIGINT, SIG_DFL)
        try process.run()
        self.process = process
        port = try ServerChild.port(in: try ServerChild.line(from: output))
        adminPort = expectsAdmin ? try ServerChild.port(in: try ServerChild.line(from: output)) : nil
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var identifier: Int32 { process.processIdentifier }

    func send(_ number: Int32) { kill(process.processIdentifier, number) }

    var status: Int32 { get async { await end.value } }

    /// The child's resident anonymous memory, in bytes; pages of files do not count.
    var memory: Int { (state("RssAnon").flatMap { Int($0) } ?? 0) << 10 }

    /// The child's largest resident memory since its start or ``forgetPeakMemory()``, pages of files included, in bytes.
    var peakMemory: Int { (state("VmHWM").flatMap { Int($0) } ?? 0) << 10 }

    /// The memory of the child and of its own children, in bytes. A page that several processes map counts once (PSS).
    var wholeMemory: Int {
        let folder = "/proc/\(process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let children = threads.flatMap { thread in
            let list = (try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { Int32($0) }
        }
        return ([process.processIdentifier] + children).reduce(0) { sum, number in
            let text = (try? String(contentsOfFile: "/proc/\(number)/smaps_rollup", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
        }
    }

    func forgetPeakMemory() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process.processIdentifier)/clear_refs"))
    }

    /// Whether the child ignores the signal.
    func ignores(_ signal: Int32) -> Bool {
        (state("SigIgn").flatMap { UInt64($0, radix: 16) } ?? 0) >> UInt64(signal - 1) & 1 == 1
    }

    /// Returns the first word of a line of the child's status.
    private func state(_ name: String) -> Substring? {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first
    }

    /// The number of the child's open descriptors.
    var descriptors: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd")) ?? []).count
    }

    struct NoLine: Error { let text: String }

    private static func line(from pipe: Pipe) throws -> String {
        var line = Data()
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data([0x0A]) { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the port after "http://127.0.0.1:" or "http://0.0.0.0:" in a line.
    private static func port(in line: String) throws -> Int {
        guard let mark = line.firstRange(of: "http://127.0.0.1:") ?? line.firstRange(of: "http://0.0.0.0:"),
            let port = Int(line[mark.upperBound...].prefix { $0.isNumber })
        else { throw NoLine(text: line) }
        return port
    }
}
