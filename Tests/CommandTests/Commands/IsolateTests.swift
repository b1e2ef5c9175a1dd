import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing

/// Decoders in processes of their own, as the commands start them.
struct IsolateTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(Pictures.png(), to: "photos/cat.png")
    }

    /// A copy of the command with a decoder of its own, in a folder that is removed with this object.
    private final class Installation: Sendable {
        let folder: URL

        /// - Parameter decoder: A shell script in place of `calotype-decoder`, or `nil` for no file.
        init(decoder: String?, mode: Int = 0o755) throws {
            // Next to the command: links do not reach other file systems.
            let build = Child.executable.deletingLastPathComponent()
            folder = build.appending(path: "isolate-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try FileManager.default.linkItem(at: Child.executable.resolvingSymlinksInPath(), to: command)
            guard let decoder else { return }
            let path = folder.appending(path: "calotype-decoder").path
            let script = "#!/bin/sh\n" + decoder.replacing("REAL", with: "'\(build.path)/calotype-decoder'")
            try Data(script.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }

        /// The command, whose decoder writes a line into a file when it starts.
        static func counting() throws -> Installation {
            try Installation(decoder: "echo >>\"${0%/*}/started\"; exec REAL \"$@\"")
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var command: URL { folder.appending(path: "calotype") }

        /// The number of workers that were started.
        var workers: Int {
            let text = try? String(contentsOf: folder.appending(path: "started"), encoding: .utf8)
            return text?.count { $0 == "\n" } ?? 0
        }

        func run(_ arguments: [String], in calotype: Calotype) async throws -> Calotype.Ending {
            let child = try Child(
                arguments, in: calotype, input: Data(), environment: [:], program: command.path)
            return try await child.ending()
        }
    }

    @Test(arguments: [
        ["resize", "photos/cat.png", "OUT", "--size", "40"], ["info", "photos/cat.png"], ["show", "photos/cat.png"],
    ])
    func `--isolate decodes in another process, with the same result`(words: [String]) async throws {
        let installation = try Installation.counting()
        func run(_ name: String, _ more: [String]) async throws -> Data {
            let ending = try await installation.run(words.map { $0 == "OUT" ? name : $0 } + more, in: calotype)
            #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
            return words.contains("OUT") ? try calotype.contents(name) : ending.output
        }
        let here = try await run("here.png", [])
        #expect(installation.workers == 0 && !here.isEmpty)
        #expect(try await run("apart.png", ["--isolate"]) == here)
        #expect(installation.workers > 0)
    }

    /// The row "`calotype-decoder` missing, of another version, or not executable".
    private static let faults: [(name: String, decoder: String?, mode: Int, message: String)] = [
        ("missing", nil, 0, "calotype-decoder is missing or not executable"),
        ("not executable", "exec REAL \"$@\"", 0o644, "calotype-decoder is missing or not executable"),
        ("of another version", "exec REAL 0 \"$2\"", 0o755, "is of another version than this program"),
        ("another program", "exit 0", 0o755, "a decoder does not start"),
    ]

    @Test(arguments: faults.map(\.name))
    func `without its decoder, a command that isolates does nothing and ends with one line`(name: String) async throws {
        let fault = try #require(Self.faults.first { $0.name == name })
        let installation = try Installation(decoder: fault.decoder, mode: fault.mode)
        for words in [
            ["resize", "photos/cat.png", "out.png", "--isolate"], ["info", "photos/cat.png", "--isolate"],
            ["show", "photos/cat.png", "--isolate"],
            ["serve", "--root", "photos", "--insecure", "--listen", "127.0.0.1:0"],
        ] {
            let ending = try await installation.run(words, in: calotype)
            #expect(ending.status == 1 && ending.output.isEmpty && calotype.files == ["photos"])
            #expect(ending.errorLines.count == 1 && ending.errors.contains(fault.message), "\(ending.errors)")
        }
        let doctor = try await installation.run(["doctor"], in: calotype)
        #expect(doctor.status == 1)
        #expect(doctor.lines.contains { $0.hasPrefix("problem  isolation ") && $0.contains(fault.message) })
        #expect(try await installation.run(["info", "photos/cat.png"], in: calotype).status == 0)
    }

    @Test(arguments: [true, false])
    func `serve isolates every format, unless it has --no-isolate`(isolates: Bool) async throws {
        let installation = try Installation.counting()
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"] + (isolates ? [] : ["--no-isolate"]),
            program: installation.command)
        let client = try RawClient(port: server.port)
        try client.get("/_/w:64/plain/local:///cat.png@webp", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        #expect((installation.workers > 0) == isolates)
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    @Test func `a command whose parent ignores the ends of its children learns how workers end`() throws {
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"], ignoresChildren: true)
        #expect(!server.ignores(SIGCHLD) && server.ignores(SIGPIPE))
    }

    @Test func `serve --no-isolate needs no decoder`() async throws {
        let installation = try Installation(decoder: nil)
        let server = try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--listen",
                "127.0.0.1:0", "--no-isolate",
            ], program: installation.command)
        let client = try RawClient(port: server.port)
        try client.get("/_/w:64/plain/local:///cat.png@webp", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
    }
}
