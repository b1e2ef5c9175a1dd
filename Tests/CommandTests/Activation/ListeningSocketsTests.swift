import CalotypeListener
import CalotypeTesting
import TestSupport
import Foundation
import Glibc
import Testing

@testable import calotype_command

/// The sockets of a service manager, in its variables and in the command.
struct ListeningSocketsTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
    }

    private func listeningSocket() throws -> (descriptor: Int32, port: Int) {
        let bound = try boundSocket()
        listen(bound.socket, 64)
        return (bound.socket, Int(bound.port))
    }

    /// Returns the first of two listening sockets with consecutive numbers.
    private func pair() throws -> (first: Int32, ports: [Int]) {
        let sockets = [try listeningSocket(), try listeningSocket()]
        let first = fcntl(sockets[0].descriptor, F_DUPFD, 900)
        dup2(sockets[1].descriptor, first + 1)
        for socket in sockets { close(socket.descriptor) }
        return (first, sockets.map(\.port))
    }

    @Test func `sockets are recognized by their names`() throws {
        let (first, ports) = try pair()
        defer { for descriptor in [first, first + 1] { close(descriptor) } }
        let variables = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "admin:http"]
        let sockets = try ListeningSockets(variables, process: 7, first: first)
        #expect(sockets.admin?.port == ports[0] && sockets.http?.port == ports[1])
        #expect(sockets.http?.host == "127.0.0.1")
        let unnamed = try ListeningSockets(["LISTEN_PID": "7", "LISTEN_FDS": "1"], process: 7, first: first)
        #expect(unnamed.http?.port == ports[0] && unnamed.admin == nil)
    }

    @Test(arguments: [
        ["LISTEN_PID": "8", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "x"], ["LISTEN_FDS": "1"],
        ["LISTEN_PID": "7"], ["LISTEN_PID": "7", "LISTEN_FDS": "0"], ["LISTEN_PID": "", "LISTEN_FDS": "1"],
    ])
    func `sockets for another process are none of this one`(variables: [String: String]) throws {
        let sockets = try ListeningSockets(variables, process: 7)
        #expect(sockets.http == nil && sockets.admin == nil)
    }

    @Test(arguments: [
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "http"], "LISTEN_FDS=2, but LISTEN_FDNAMES=http has 1"),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "http:admin"], "LISTEN_FDS=1, but LISTEN_FDNAMES=http:admin has 2"),
        (["LISTEN_FDS": "2"], "LISTEN_FDNAMES is not set"),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "calotype.socket"], "unknown name 'calotype.socket'"),
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "http:http"], "two sockets have one name"),
        (["LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:admin:http"], "at most two sockets"),
        (["LISTEN_FDS": "-1"], "at most two sockets"), (["LISTEN_FDS": "all"], "at most two sockets"),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "admin"], "the socket admin of the service manager: descriptor"),
    ])
    func `variables that make no sense are named`(variables: [String: String], problem: String) throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let environment = variables.merging(["LISTEN_PID": "7"]) { $1 }
        let error = #expect(throws: UsageError.self) {
            try ListeningSockets(environment, process: 7, first: file)
        }
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    // MARK: - The command

    /// Starts `calotype serve` with a listening socket as descriptor 3, as a service manager does.
    private func serve(
        on descriptor: Int32, _ more: [String] = [], environment: [String: String] = [:]
    ) throws -> (process: Process, errors: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // Foundation closes all descriptors but the standard ones.
        let script = #"exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#
        let photos = calotype.directory.appending(path: "photos").path
        process.arguments = ["-c", script, Child.executable.path, "serve", "--root", photos] + more
        process.environment = Child.environment(in: calotype, environment)
        let errors = Pipe()
        process.standardInput = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        return (process, errors)
    }

    @Test func `serve answers on the manager's socket, reports its states, and no client of a restart is refused`()
        async throws
    {
        let socket = try listeningSocket()
        defer { close(socket.descriptor) }
        let manager = try NotifyReceiver()
        let variables = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "600000000", "LISTEN_FDNAMES": "http"]
        for _ in 0..<2 {
            // The client comes before the server.
            let client = try RawClient(port: socket.port)
            try client.get("/_/w:16/plain/local:///cat.jpg@webp", lines: ["Connection: close"])
            let (process, _) = try serve(on: socket.descriptor, ["--insecure"], environment: variables)
            #expect(manager.next() == ["READY=1", "STATUS=listening on http://127.0.0.1:\(socket.port)"])
            #expect(manager.next() == ["WATCHDOG=1"])
            #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
            process.terminate()
            #expect(manager.next() == ["STOPPING=1"])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    @Test(arguments: [
        (["--insecure", "--listen", "127.0.0.1:0"], "leave out one of them"),
        ([], "--insecure permits it"),
    ])
    func `a socket besides an address, or without a key, is refused in one line`(
        words: [String], problem: String
    ) async throws {
        let socket = try listeningSocket()
        defer { close(socket.descriptor) }
        let (process, errors) = try serve(on: socket.descriptor, words)
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(text.contains(problem) && text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func `without a key, a socket that other machines reach needs a flag`() throws {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        // A socket that listens without an address gets one: [::] and any port.
        listen(descriptor, 1)
        defer { close(descriptor) }
        let (process, errors) = try serve(on: descriptor, ["--insecure"])
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(text.contains("--allow-remote permits it"), "\(text)")
    }
}
