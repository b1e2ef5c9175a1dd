import CalotypeBase
import Foundation
import Testing

@testable import calotype_command

/// The lines about keys and signatures that others can find.
struct SigningWarningTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func warnings(_ environment: [String: String], _ words: [String] = []) throws -> [String] {
        var syntax = ServeCommand.syntax
        syntax.operandCount = 0...Int.max
        let context = Context(
            console: Console(environment: [:]) { _ in }, temporaryFiles: TemporaryFiles(),
            environment: environment.merging(["HOME": calotype.place.path]) { given, _ in given })
        let arguments = try ArgumentParser.parse(words.map { ByteString($0) }[...], for: syntax)
        return SigningWarnings(try Settings(context).completing(arguments), context).lines
    }

    private func file(_ text: String, _ name: String, mode: Int) throws -> String {
        let path = try calotype.write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private static let safe = String(repeating: "5a", count: 16)

    @Test(arguments: [
        (safe, 0), ("\(safe), \(safe)", 0), ("5a", 1), ("\(safe.dropLast(2))", 1), ("5a,\(safe),5a5a", 2),
    ])
    func `a short key has a line`(keys: String, count: Int) throws {
        let lines = try warnings(["CALOTYPE_KEY": keys, "CALOTYPE_SALT": "00"])
        #expect(lines.count == count && lines.allSatisfy { $0.hasPrefix("key ") && !$0.contains("5a") })
    }

    @Test(arguments: [("1", 1), ("7", 1), ("8", 0), ("32", 0)])
    func `a short signature has a line`(size: String, count: Int) throws {
        let lines = try warnings(["CALOTYPE_KEY": Self.safe, "CALOTYPE_SALT": "00"], ["--signature-size", size])
        #expect(lines.count == count && lines.allSatisfy { $0.contains("signature-size should be 8 or more") })
    }

    @Test(arguments: [(0o644, 1), (0o640, 0), (0o600, 0), (0o604, 1)])
    func `a file of keys that others read has a line`(mode: Int, count: Int) throws {
        let keys = try file("\(Self.safe)\n\(Self.safe)\n", "keys", mode: mode)
        #expect(try warnings(["CALOTYPE_KEY": "@\(keys)", "CALOTYPE_SALT": "00\n00"]).count == count)
        let settings = try file("key = \(Self.safe)\nsalt = 00\n", "serve.conf", mode: mode)
        let lines = try warnings([:], ["--config", settings])
        #expect(lines.count == count && lines.allSatisfy { $0.contains(settings) })
        // Its own mode does not count if the key is elsewhere.
        let other = try file("key = @$CREDENTIALS_DIRECTORY/keys\nsalt = 00\nsalt = 00\n", "other.conf", mode: 0o644)
        let folder = ["CREDENTIALS_DIRECTORY": calotype.directory.path]
        #expect(try warnings(folder, ["--config", other]).filter { $0.contains(keys) }.count == count)
        #expect(try !warnings(folder, ["--config", other]).contains { $0.contains(other) })
    }

    @Test func `the server prints the lines when it starts`() async throws {
        try FileManager.default.createDirectory(
            at: calotype.directory.appending(path: "photos"), withIntermediateDirectories: true)
        let keys = try file("5a\n", "keys", mode: 0o644), log = try calotype.write("", to: "log")
        let errors = try #require(FileHandle(forWritingAtPath: log))
        let photos = calotype.directory.appending(path: "photos").path
        let server = try ServerChild(
            ["serve", "--root", photos, "--listen", "127.0.0.1:0", "--no-isolate", "--signature-size", "1"],
            environment: ["CALOTYPE_KEY": "@\(keys)", "CALOTYPE_SALT": "00"], errors: errors)
        let lines = String(decoding: try calotype.contents("log"), as: UTF8.self).split(separator: "\n")
        #expect(server.port > 0 && lines.count { $0.contains("serve: ") } == 3, "\(lines)")
    }

    /// Every option of the servers with numbers beyond all ranges: each is refused or taken, and none ends the process.
    @Test(arguments: [
        "0", "-1", "1", "0.5", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308", "1e999",
        "nan",
        "inf", "-inf", "99999999999999999999", "9e17", "1000000TiB", "٣", "99999999999999999999MB",
        "127.0.0.1:99999999999",
    ])
    func `no number ends the command line of a server`(number: String) throws {
        for syntax in [ServeCommand.syntax, ProxyCommand.syntax] {
            for option in syntax.settings where option.placeholder != nil {
                let context = Context(
                    console: Console(environment: [:]) { _ in }, temporaryFiles: TemporaryFiles(),
                    environment: ["HOME": calotype.place.path, option.variable: number])
                let root = [ByteString("--root"), ByteString(calotype.directory.path), "--insecure"]
                let words = syntax.name == "serve" ? root : []
                do throws(UsageError) {
                    let given = try ArgumentParser.parse(words[...], for: syntax)
                    let arguments = try Settings(context).completing(given)
                    if syntax.name == "serve" {
                        _ = try ServeCommand(arguments, context)
                    } else {
                        _ = try ProxyCommand(arguments, context)
                    }
                } catch {}
            }
        }
    }
}
