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

    /// Sends a signal, such as SIGSTOP. A stopped child has to go on before this object is released.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Kills the child, and returns when it has ended.
    func endAtOnce() {
        send(SIGKILL)
        process.waitUntilExit()
    }

    /// Returns the next line of the child's output. Blocks until the child has printed it.
    func readLine() throws -> String {
        let line = try output.fileHandleForReading.readLine()
        guard !line.isEmpty else { throw BenchError("the child process ended without an answer") }
        return line
    }
}
