import CalotypeBase
import CalotypeCodecs
import CalotypeServer
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@testable import calotype_command

/// The limits of `calotype serve`, in a separate process.
struct ServeLimitsTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func server(_ flags: [String], descriptors: Int) throws -> ServerChild {
        let photos = calotype.directory.appending(path: "photos").path
        return try ServerChild(
            ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0", "--no-isolate"] + flags,
            descriptors: descriptors)
    }

    // Files stayed open until their turn to decode: 446 of 900 requests got a 502.
    @Test(.timeLimit(.minutes(3))) func `900 files at once are 900 results, with 1,024 descriptors`() async throws {
        _ = ServerLimits.raisedDescriptorLimit()
        let photo = SamplePhotos.jpeg(width: 64, height: 48)
        for number in 0..<900 { try calotype.write(photo + Data("\(number)".utf8), to: "photos/\(number).jpg") }
        let server = try server(["--queue", "1024"], descriptors: 1024)
        var statuses: [Substring: Int] = [:]
        var asked = Array(0..<900)
        // On a slow machine the server refuses what it could not make in time: those clients ask again.
        while !asked.isEmpty {
            let clients = try asked.map { number in
                let client = try RawClient(port: server.port)
                try client.get("/_/w:10/plain/local:///\(number).jpg@jpg", lines: ["Connection: close"])
                return (number, client)
            }
            asked = []
            for (number, client) in clients {
                let status = await client.receive().prefix(12)
                if status == "HTTP/1.1 503" { asked.append(number) } else { statuses[status, default: 0] += 1 }
            }
        }
        #expect(statuses == ["HTTP/1.1 200": 900])
    }

    @Test func `without descriptors for more clients it stops accepting, and goes on later`() async throws {
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/a.jpg")
        let server = try server([], descriptors: 128)
        // Clients that have sent half a request hold their connections.
        let silent = try (0..<200).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("GET /_/w:10/plain/local:///a.jpg@png HTTP/1.1\r\n")
            return client
        }
        #expect(server.descriptors <= 128 - DescriptorBudget(limit: 128).reserve)
        for client in silent { client.leave() }
        let client = try RawClient(port: server.port)
        try client.get("/_/w:10/plain/local:///a.jpg@png", lines: ["Connection: close"])
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
    }

    @Test(arguments: [64, 128, 256, 1024, 4096, 16_384, 1 << 20], [0, 2])
    func `descriptors suffice for clients, origins, stores and decoders`(descriptors: Int, stores: Int) {
        let budget = DescriptorBudget(limit: descriptors)
        let others = budget.kept(for: DecoderWorkers(limit: 8).descriptors)
        let limits = ServerLimits.ofThumbnails(descriptors: descriptors, stores: stores, others: others)
        let kept = limits.kept + budget.reserve + others
        #expect(kept < descriptors && limits.kept >= limits.transfers + limits.waiting + stores * budget.files)
        #expect(limits.connections >= max(limits.threads, 4))
        if descriptors >= 1024 { #expect(limits.connections >= 256 && limits.connections + kept < descriptors) }
        // One silent host has half of the further requests.
        if descriptors >= 1024 { #expect(limits.waiting / 2 >= 150) }
    }

    // It started with 64, listened, and answered nobody.
    @Test(.timeLimit(.minutes(3)), arguments: [["--no-isolate"], [], ["--store", "store", "--admin", "127.0.0.1:0"]])
    func `too few descriptors are an error at the start, and the number in it suffices`(_ flags: [String]) async throws
    {
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/a.jpg")
        let photos = calotype.directory.appending(path: "photos").path
        let flags = flags.map { $0 == "store" ? calotype.directory.appending(path: "store").path : $0 }
        let arguments = ["serve", "--root", photos, "--insecure", "--listen", "127.0.0.1:0"] + flags
        func refusal(_ descriptors: Int) async throws -> Calotype.Ending {
            let words = arguments.map { "'\($0)'" }.joined(separator: " ")
            return try await calotype.shell("ulimit -n \(descriptors) && exec \"$command\" \(words)")
        }
        let end = try await refusal(64)
        let needed = try #require(Int(end.errors.split { !$0.isNumber }.last ?? ""))
        #expect(end.status == 2 && end.errors.contains("may open 64 files") && (65...256).contains(needed), "\(end)")
        #expect(try await refusal(needed - 1).status == 2)
        let server = try ServerChild(arguments, expectsAdmin: flags.contains("--admin"), descriptors: needed)
        let clients = try (0..<16).map { _ in try RawClient(port: server.port) }
        for client in clients {
            try client.get("/_/w:10/plain/local:///a.jpg@png")
            #expect(await client.receiveOnce().hasPrefix("HTTP/1.1 200 "))
        }
    }

    // 400 half requests kept the first check waiting for seven seconds.
    @Test(arguments: [Half.head, .body])
    func `a check of health gets its place at once, however many connections ask for nothing`(_ half: Half) async throws
    {
        try calotype.write(SamplePhotos.jpeg(width: 64, height: 48), to: "photos/a.jpg")
        let server = try ServerChild(
            [
                "serve", "--root", calotype.directory.appending(path: "photos").path, "--insecure", "--no-isolate",
                "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0",
            ], expectsAdmin: true, descriptors: 1024)
        let admin = try #require(server.adminPort)
        _ = ServerLimits.raisedDescriptorLimit()
        let silent = try [admin, server.port].flatMap { port in
            try (0..<400).map { _ in
                let client = try RawClient(port: port)
                try client.send(half.rawValue)
                return client
            }
        }
        for page in ["health", "ready", "metrics"] {
            let client = try RawClient(port: admin)
            try client.send("GET /.calotype/\(page) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        }
        withExtendedLifetime(silent) {}
    }

    enum Half: String, CaseIterable, Sendable {
        case head = "GET /.calotype/health HTTP/1.1\r\n"
        case body = "POST /.calotype/purge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    }

    @Test func `the limit of the queue is a whole number`() async throws {
        let end = try await calotype("serve", "--root", ".", "--insecure", "--queue", "0")
        #expect(end.status == 2 && end.errors.contains("--queue") && end.errors.contains("a whole number from 1"))
    }
}
