import CalotypeStore
import Foundation
import ResourceProvider
import Testing
import calotype_cache_client

/// The program that loads through a cache on the disk, as a child process.
final class CacheClient: Sendable {
    private let process: pid_t
    private let output: Int32
    private let buffer = Locked(Data())
    // Its output and its end are waited for on a thread of their own.
    private let thread = BlockingPool(threads: 1)

    convenience init(_ arguments: String...) throws { try self.init(arguments) }

    convenience init(_ directory: String, _ urls: some Sequence<String>) throws {
        try self.init([directory] + urls)
    }

    private init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var argv = ([CacheClient.path] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child = pid_t()
        let status = posix_spawn(&child, CacheClient.path, &actions, nil, &argv, environ)
        close(ends[1])
        try #require(status == 0, "\(CacheClient.path) does not start")
        process = child
        output = ends[0]
    }

    deinit { close(output) }

    /// Beside the tests, where the build puts it.
    private static let path: String = {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("calotype-cache-client").path
    }()

    /// The next lines it says; fewer when it ends before.
    func lines(_ count: Int) async -> [String] {
        let lines = try? await thread.run { [self] () throws(StoreError) in
            var lines: [String] = []
            while lines.count < count, let line = nextLine() { lines.append(line) }
            return lines
        }
        return lines ?? []
    }

    /// All it says until it ends by itself.
    func linesToEnd() async -> [String] {
        let lines = await lines(.max)
        await end()
        return lines
    }

    func kill() async {
        Foundation.kill(process, SIGKILL)
        await end()
    }

    private func end() async {
        try? await thread.run { [process] () throws(StoreError) in
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
