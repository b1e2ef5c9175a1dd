import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import CalotypeURLs
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// SIGHUP of a service.
struct HangupTests {
    @Test func `a signal reaches the service that has claimed it`() async {
        let hangups = Hangups(hasTerminal: false)
        #expect(!hangups.take())
        let signals = hangups.claimed()
        #expect(hangups.take())
        #expect(await signals.first { _ in true } != nil)
    }

    @Test func `the end of a terminal reaches no service`() {
        let hangups = Hangups(hasTerminal: true)
        _ = hangups.claimed()
        #expect(!hangups.take())
    }
}

/// Settings that a running server reads again.
@Suite(.enabled(if: !Hangups.hasTerminal, "in a terminal, SIGHUP ends a server"))
struct ReloadTests {
    private static let key = "AA", old = "BB", new = "CC"

    private let calotype: Calotype
    private let errors: URL
    private let client: CurlTransport

    init() throws {
        calotype = try Calotype()
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/cat.jpg")
        errors = calotype.place.appending(path: "errors")
        try Data().write(to: errors)
        var options = CurlTransport.Options()
        options.addsNothing = true
        options.connectionsPerHost = 32
        client = CurlTransport(options: options)
    }

    private func configure(_ keys: [String], _ more: String = "") throws {
        let salts = keys.map { _ in "00" }.joined(separator: ",")
        try calotype.write("key = \(keys.joined(separator: ","))\nsalt = \(salts)\n\(more)", to: "serve.conf")
    }

    private func server(_ words: String..., environment: [String: String] = [:]) throws -> ServerChild {
        let folder = calotype.directory
        return try ServerChild(
            [
                "serve", "--root", folder.appending(path: "photos").path, "--listen", "127.0.0.1:0", "--config",
                folder.appending(path: "serve.conf").path,
            ] + words, environment: environment, errors: try FileHandle(forWritingTo: errors))
    }

    private func status(
        _ server: ServerChild, _ path: ByteString = "/w:10/plain/local:///cat.jpg@png", key: String = Self.key
    ) async throws -> Int {
        var request = HTTPRequest(try #require(URL(string: "http://127.0.0.1:\(server.port)")))
        request.rawTarget = try URLSigner(keys: key, salts: "00").signed(path)
        let response = try await client.send(request)
        _ = try await response.body.collect()
        return response.status
    }

    /// Standard error, without the lines about the short keys of these tests, and about files that others can read.
    private var errorLines: [String] {
        ((try? String(contentsOf: errors, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
            .filter { !$0.contains("found by trial") && !$0.contains("other users of this machine") }
    }

    /// Sends the signal, and returns when there are as many answers to it as are expected altogether.
    private func reload(_ server: ServerChild, answers count: Int = 1) async {
        server.send(SIGHUP)
        await waitUntil {
            errorLines.count { $0.contains("settings read again") || $0.contains("stay as they are") } == count
        }
    }

    private func end(_ server: ServerChild) async {
        server.send(SIGTERM)
        #expect(await server.status == 0)
    }

    @Test func `reloads under load change the keys, and fail no request`() async throws {
        try configure([Self.key, Self.old])
        let server = try server()
        #expect(try await status(server, key: Self.old) == 200)
        #expect(try await status(server, key: Self.new) == 403)
        let isOver = Locked(false)
        let load = (0..<16).map { number in
            Task {
                var statuses: [Int] = []
                var count = 0
                while !isOver.withLock({ $0 }) {
                    // Half of them are hits, and half of them new.
                    count += 1
                    let width = count.isMultiple(of: 2) ? 10 : 11 + (number + 16 * count) % 500
                    statuses.append(try await status(server, "/w:\(width)/plain/local:///cat.jpg@png"))
                }
                return statuses
            }
        }
        for round in 1...20 {
            let (valid, gone) = round.isMultiple(of: 2) ? (Self.old, Self.new) : (Self.new, Self.old)
            try configure([Self.key, valid])
            await reload(server, answers: round)
            #expect(try await status(server, key: valid) == 200)
            #expect(try await status(server, key: gone) == 403)
        }
        isOver.withLock { $0 = true }
        for task in load {
            let statuses = try await task.value
            #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 200 })
        }
        await end(server)
    }

    @Test func `the command has a server read its settings again`() async throws {
        try configure([Self.key])
        let server = try server()
        try configure([Self.new])
        let ending = try await calotype("reload", "\(server.identifier)")
        #expect(ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty)
        await waitUntil { errorLines.contains { $0.contains("settings read again") } }
        #expect(try await status(server, key: Self.new) == 200)
        await end(server)
    }

    @Test func `the command signals servers alone, and names the reason otherwise`() async throws {
        let sleeper = Process()
        sleeper.executableURL = URL(fileURLWithPath: "/bin/sleep")
        sleeper.arguments = ["600"]
        try sleeper.run()
        let other = try await calotype("reload", "\(sleeper.processIdentifier)")
        #expect(other.status == 1 && sleeper.isRunning)
        #expect(
            other.errorLines == [
                "calotype: reload: process \(sleeper.processIdentifier): it is not calotype proxy or serve"
            ])
        kill(sleeper.processIdentifier, SIGKILL)
        sleeper.waitUntilExit()
        let gone = try await calotype("reload", "\(sleeper.processIdentifier)")
        #expect(
            gone.status == 1
                && gone.errorLines == [
                    "calotype: reload: process \(sleeper.processIdentifier): No such process"
                ])
        for word in ["", "0", "1", "99999999999", "4x"] {
            let ending = try await calotype("reload", word)
            #expect(ending.status == 2 && ending.errors.contains("expected a process ID above 1"), "\(word)")
        }
    }

    @Test(arguments: [
        ("key = CC,AA\n", "there is no salt"), ("key = CC\nsalt = 00\nlog = er", "no line feed at its end"),
        ("key = CC\nsalt = 00\nnonsense = 1\n", "unknown key 'nonsense'"), ("", "no line feed at its end"),
        ("\n", "there is no key"), ("key = @/nowhere\nsalt = 00\n", "cannot read it"),
        ("key = CC\nsalt = 00\nallow-source = ftp://a\n", "the scheme"), ("key = CC\nsalt = 0", "no line feed"),
    ])
    func `a file with a mistake, or half a file, changes nothing`(_ text: String, _ problem: String) async throws {
        try configure([Self.key, Self.old], "log = none\n")
        let server = try server()
        #expect(try await status(server, key: Self.old) == 200)
        try calotype.write(text, to: "serve.conf")
        await reload(server)
        #expect(errorLines.count == 1 && errorLines[0].contains(problem), "\(errorLines)")
        #expect(try await status(server, key: Self.old) == 200)
        #expect(try await status(server, key: Self.new) == 403)
        await end(server)
    }

    @Test func `files of secrets and presets are read again`() async throws {
        let folder = calotype.directory.path
        try calotype.write("\(Self.old)\n", to: "key")
        try calotype.write("small=w:5\n", to: "presets")
        let text = "key = @\(folder)/key\nsalt = 00\npresets = \(folder)/presets\nlog = none\n"
        try calotype.write(text, to: "serve.conf")
        let server = try server()
        #expect(try await status(server, "/pr:small/plain/local:///cat.jpg@png", key: Self.old) == 200)
        #expect(try await status(server, "/pr:other/plain/local:///cat.jpg@png", key: Self.old) == 400)
        try calotype.write("\(Self.new)\n", to: "key")
        try calotype.write("other=w:5\n", to: "presets")
        await reload(server)
        #expect(errorLines == ["serve: settings read again; changed: presets, key"])
        #expect(try await status(server, "/pr:other/plain/local:///cat.jpg@png", key: Self.new) == 200)
        #expect(try await status(server, "/pr:small/plain/local:///cat.jpg@png", key: Self.new) == 400)
        #expect(try await status(server, key: Self.old) == 403)
        await end(server)
    }

    @Test func `sources and the log change, and a change of another option waits for a restart`() async throws {
        let origin = try OriginServer()
        origin.on("/a.jpg") { [photo = SamplePhotos.jpeg(width: 64, height: 48)] in
            $0.fields["X-Token"] == "abc" ? .ok(photo) : .status(404)
        }
        let source = origin.url.absoluteString
        let path = ByteString("/w:10/plain/\(source)/a.jpg@png")
        try configure([Self.key], "log = none\nttl = 60\n")
        let server = try server()
        #expect(try await status(server, path) == 403)
        let allowing = "allow-source = \(source)\nallow-address = 127.0.0.1\nsource-header = \(source) X-Token: abc\n"
        try configure([Self.key], "log = errors\nttl = 70\n\(allowing)")
        await reload(server)
        await waitUntil { errorLines.count == 2 }
        #expect(try await status(server, path) == 200)
        #expect(try await status(server, key: Self.new) == 403)
        await waitUntil { errorLines.count == 3 }
        #expect(errorLines[0].contains("allow-source") && !errorLines[0].contains("ttl"))
        #expect(errorLines[0].contains("log") && errorLines[0].contains("source-header"))
        #expect(!errorLines[0].contains("abc"))
        #expect(errorLines[1] == "calotype: serve: needs a restart: ttl")
        #expect(errorLines[2].hasPrefix("{"))
        // The server still has the old value, so that the next reload reports it again.
        await reload(server, answers: 2)
        await waitUntil { errorLines.count == 5 }
        #expect(errorLines[3...] == ["serve: settings read again; changed: nothing", errorLines[1]])
        await end(server)
    }

    // The bucket's own credentials are in a file that the next reload reads again.
    @Test func `buckets and the files of their credentials are read again`() async throws {
        let store = try OriginServer()
        let photo = OriginReply.ok(SamplePhotos.jpeg(width: 64, height: 48))
        store.onAny { [photo] request in
            let isSigned = request.fields["Authorization"]?.contains("Credential=NEW/") == true
            return request.path == "/photos/public/a%2541.jpg" && isSigned ? photo : .status(400)
        }
        let file = try calotype.write("[web]\naws_access_key_id = OLD\naws_secret_access_key = hidden\n", to: "aws")
        try configure([Self.key], "log = errors\n")
        let server = try server(environment: ["AWS_SHARED_CREDENTIALS_FILE": file, "AWS_EC2_METADATA_DISABLED": "true"])
        let path: ByteString = "/w:10/plain/s3:%2F%2Fphotos%2Fpublic%2Fa%2541.jpg@png"
        #expect(try await status(server, path) == 403)
        let bucket = "s3 = photos endpoint=\(store.url.absoluteString) profile=web\nallow-source = s3://photos/public\n"
        try configure([Self.key], "log = errors\n\(bucket)")
        await reload(server)
        #expect(try await status(server, path) == 502)
        try calotype.write("[web]\naws_access_key_id = NEW\naws_secret_access_key = hidden\n", to: "aws")
        await reload(server, answers: 2)
        #expect(try await status(server, path) == 200)
        await end(server)
        #expect(errorLines.contains { $0.contains("settings read again") && $0.contains("s3") })
        #expect(errorLines.contains { $0.contains("s3: the bucket photos refuses a request: status 400") })
        #expect(!errorLines.contains { $0.contains("hidden") || $0.contains("OLD") || $0.contains("NEW") })
    }

    @Test func `a server on an address that others reach keeps its key, whatever address the new settings name`()
        async throws
    {
        let root = "root = \(calotype.directory.appending(path: "photos").path)\nlog = none\n"
        let file = try calotype.write("\(root)listen = 0.0.0.0:0\nkey = AA\nsalt = 00\n", to: "serve.conf")
        let server = try ServerChild(["serve", "--config", file], errors: try FileHandle(forWritingTo: errors))
        #expect(try await status(server, key: Self.new) == 403)
        let local = "\(root)listen = 127.0.0.1:0\ninsecure = yes\n"
        try calotype.write(local, to: "serve.conf")
        await reload(server)
        #expect(errorLines.count == 1 && errorLines[0].contains("with listen unchanged until a restart: without a key"))
        #expect(try await status(server, key: Self.new) == 403)
        #expect(try await status(server) == 200)
        try calotype.write("\(local)allow-remote = yes\n", to: "serve.conf")
        await reload(server, answers: 2)
        #expect(try await status(server, key: Self.new) == 200)
        await end(server)
    }

    @Test func `an edited file that is read at the start alone is reported until a restart`() async throws {
        let token = try calotype.write("the-first-token-of-purges", to: "token")
        let mark = try calotype.write(SamplePhotos.jpeg(width: 16, height: 16), to: "mark.jpg")
        try configure([Self.key], "log = none\n")
        let server = try server("--admin", "127.0.0.1:0", "--admin-token", token, "--watermark", mark)
        await reload(server)
        try calotype.write("the-second-token-of-purges", to: "token")
        try calotype.write(SamplePhotos.jpeg(width: 16, height: 16, seed: 2), to: "mark.jpg")
        for count in 2...3 { await reload(server, answers: count) }
        await waitUntil { errorLines.count == 5 }
        let nothing = "serve: settings read again; changed: nothing"
        let restart = "calotype: serve: needs a restart: watermark, admin-token"
        #expect(errorLines == [nothing, nothing, restart, nothing, restart])
        await end(server)
    }

    @Test func `the service manager gets the outcome of each reload`() async throws {
        let manager = try NotifyReceiver()
        try configure([Self.key])
        let server = try server(environment: ["NOTIFY_SOCKET": manager.name])
        #expect(manager.next().first == "READY=1")
        let mistake = "a mistake in the settings: those in effect stay as they are"
        for (key, status) in [(Self.new, "settings read again"), ("no key", mistake)] {
            try configure([key])
            server.send(SIGHUP)
            #expect(manager.next().first == "RELOADING=1")
            #expect(manager.next() == ["READY=1", "STATUS=\(status)"])
        }
        await end(server)
    }

    @Test func `a proxy reads its settings again, too`() async throws {
        let file = try calotype.write("mode = shared\nlisten = 127.0.0.1:0\n", to: "proxy.conf")
        let server = try ServerChild(["proxy", "--config", file], errors: try FileHandle(forWritingTo: errors))
        try calotype.write("mode = private\nlisten = 127.0.0.1:0\nverbose = yes\n", to: "proxy.conf")
        await reload(server)
        await waitUntil { errorLines.count == 2 }
        #expect(
            errorLines == [
                "proxy: settings read again; changed: verbose", "calotype: proxy: needs a restart: mode",
            ])
        try calotype.write("mode = nonsense\n", to: "proxy.conf")
        await reload(server, answers: 2)
        #expect(errorLines.count == 3 && errorLines[2].contains("mode = nonsense"))
        await end(server)
    }
}
