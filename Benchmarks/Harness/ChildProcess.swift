import Foundation

/// This executable, started again in another role. The child ends when this object is released.
final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ role: ChildRole) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = role.arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Only the child needs this end. Its input ends once the other end closes, even if this process is killed.
        try input.fileHandleForReading.close()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Returns the next line of the child's output. Blocks until the child has printed it.
    func readLine() throws -> String {
        let line = try output.fileHandleForReading.readLine()
        guard !line.isEmpty else { throw BenchError("the child process ended without an answer") }
        return line
    }
}

extension FileHandle {
    /// Returns the text up to the next line feed or the end. Blocks until one of them arrives.
    func readLine() throws -> String {
        var line = Data()
        while let byte = try read(upToCount: 1), !byte.isEmpty, byte != Data([UInt8(ascii: "\n")]) { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
