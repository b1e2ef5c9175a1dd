import CalotypeBase
import Foundation

/// A program of this package as a child process, whose output the test reads and which it may kill.
package final class ChildProgram: Sendable {
    package struct DoesNotStart: Error {
        let path: String
    }

    private let process: pid_t
    private let output: Int32
    private let buffer = Locked(Data())
    // The thread that reads the output and waits for the exit, because both of these block.
    private let thread = BlockingPool(threads: 1)

    /// - Parameter name: The name of a program that the build places next to the tests.
    package init(_ name: String, _ arguments: [String]) throws(DoesNotStart) {
        let path = ChildProgram.folder.appendingPathComponent(name).path
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw DoesNotStart(path: path) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child = pid_t()
        let status = posix_spawn(&child, path, &actions, nil, &argv, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            throw DoesNotStart(path: path)
        }
        process = child
        output = ends[0]
    }

    deinit { close(output) }

    private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Returns the next lines of output, or fewer if the program ends first.
    package func lines(_ count: Int) async -> [String] {
        let lines = try? await thread.run { [self] () throws(Interruption) in
            var lines: [String] = []
            while lines.count < count, let line = nextLine() { lines.append(line) }
            return lines
        }
        return lines ?? []
    }

    /// Waits until the program has ended, and returns the rest of its output as lines.
    package func linesToEnd() async -> [String] {
        let lines = await lines(.max)
        await end()
        return lines
    }

    package func kill() async {
        Foundation.kill(process, SIGKILL)
        await end()
    }

    private func end() async {
        try? await thread.run { [process] () throws(Interruption) in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        }
    }

    private func nextLine() -> String? {
        buffer.withLock { buffer in
            while true {
                if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { buffer = Data(buffer[(end + 1)...]) }
                    return String(decoding: buffer[..<end], as: UTF8.self)
                }
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(output, &bytes, bytes.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return nil }
                buffer.append(contentsOf: bytes[..<count])
            }
        }
    }
}
