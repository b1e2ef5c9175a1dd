import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation
import TestSupport
import Testing
import Waiting

@testable import CalotypeServer

/// Bodies that arrive slowly, badly, or in great number.
struct UploadTests {
    private let photo = SamplePhotos.jpeg(width: 640, height: 480)

    private func begin(
        _ server: TestServer, length: Int? = nil, lines: [String] = [], from host: UInt32 = 1
    ) throws -> RawClient {
        let client = try RawClient(port: server.port, from: host)
        let framing = length.map { ["Content-Length: \($0)"] } ?? []
        try client.get("/_/w:10/f:png/", method: "POST", lines: framing + lines)
        return client
    }

    // MARK: Framing

    @Test(arguments: [
        ["Content-Length: 10", "Transfer-Encoding: chunked"], ["Content-Length: 10", "Content-Length: 11"],
        ["Transfer-Encoding: gzip, chunked"], ["Content-Length: -1"],
    ])
    func `ambiguous framing is refused, and ends the connection`(lines: [String]) async throws {
        let server = try TestServer.forPosts()
        let client = try begin(server, lines: lines)
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("Connection: close"))
    }

    @Test func `chunks of HTTP 1.0 and trailers are refused`() async throws {
        let server = try TestServer.forPosts()
        let old = try RawClient(port: server.port)
        try old.send("POST /_/w:10/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(await old.receive().hasPrefix("HTTP/1.1 400 "))
        let client = try begin(server, lines: ["Transfer-Encoding: chunked"])
        try client.send("5\r\nhello\r\n0\r\nA: b\r\n\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 400 "))
        await waitUntil { server.isEmptied }
    }

    @Test func `a body shorter than its length is refused`() async throws {
        let server = try TestServer.forPosts()
        let client = try begin(server, length: photo.count)
        try client.send(photo.prefix(100))
        client.endSending()
        _ = await client.receive()
        await waitUntil { server.isEmptied }
        #expect(server.server.encodes == 0)
    }

    @Test func `a chunked image is read to its end`() async throws {
        let server = try TestServer.forPosts()
        let client = try begin(server, lines: ["Transfer-Encoding: chunked", "Connection: close"])
        for start in stride(from: 0, to: photo.count, by: 5000) {
            let chunk = photo[start..<min(start + 5000, photo.count)]
            try client.send(Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8))
        }
        try client.send("0\r\n\r\n")
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `a client that waits for 100 gets it if the head is right`() async throws {
        let server = try TestServer.forPosts()
        let client = try begin(server, length: photo.count, lines: ["Expect: 100-continue", "Connection: close"])
        #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        try client.send(photo)
        #expect(await client.receive().hasPrefix("HTTP/1.1 200 "))
        let other = try RawClient(port: server.port)
        try other.get("/_/no:thing/", method: "POST", lines: ["Content-Length: 5", "Expect: 100-continue"])
        #expect(await other.receive().hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `a length beyond the limit is refused before the body`() async throws {
        let server = try TestServer.forPosts { $0.maxSourceBytes = 100_000 }
        let client = try begin(server, length: 10_000_000)
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("Connection: close"))
    }

    @Test func `chunks beyond the limit are refused as they arrive`() async throws {
        let server = try TestServer.forPosts { $0.maxSourceBytes = 100_000 }
        let client = try begin(server, lines: ["Transfer-Encoding: chunked"])
        let chunk = Data("8000\r\n".utf8) + Data(count: 0x8000) + Data("\r\n".utf8)
        for _ in 0..<8 { _ = try? client.sendWithoutWaiting(chunk) }
        #expect(await client.receive().hasPrefix("HTTP/1.1 413 "))
        await waitUntil { server.isEmptied }
    }

    @Test func `a GET with a body is refused, and ends the connection`() async throws {
        let server = try TestServer.forPosts()
        let client = try RawClient(port: server.port)
        try client.get("/_/w:10/plain/local:///a.jpg", lines: ["Content-Length: 100000"])
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("Connection: close"))
    }

    @Test func `a refusal for the size is JSON for who accepts that, and text for others`() async throws {
        let server = try TestServer.forPosts { $0.maxSourceBytes = 100_000 }
        for (accept, type) in [("application/json", "application/json"), ("*/*", "text/plain")] {
            let client = try begin(server, length: 10_000_000, lines: ["Accept: \(accept)"])
            let answer = await client.receive()
            #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("Content-Type: \(type)"))
        }
    }

    @Test(arguments: [99_999, 100_000, 100_001])
    func `the limit of an image is that of its bytes`(count: Int) async throws {
        let server = try TestServer.forPosts { $0.maxSourceBytes = 100_000 }
        let answer = try await server.post("/_/w:10/", photo + Data(count: count - photo.count))
        #expect(answer.status == (count > 100_000 ? 413 : 200))
    }

    // MARK: Slow clients and clients that leave

    @Test func `a body has a deadline, however it arrives`() async throws {
        let clock = ManualClock()
        let server = try TestServer.forPosts { $0.clock = clock }
        let client = try begin(server, length: photo.count)
        try client.send(photo.prefix(100))
        await waitUntil { server.server.uploads?.count == 1 && clock.sleepers > TestServer.idleSleepers }
        clock.advance(by: .seconds(301))
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("Connection: close"))
        await waitUntil { server.isEmptied }
    }

    @Test func `a client that leaves ends the work`() async throws {
        let server = try TestServer.forPosts()
        let client = try begin(server, length: photo.count)
        try client.send(photo.prefix(photo.count - 1))
        await waitUntil { server.server.uploads?.count == 1 }
        client.leave()
        await waitUntil { server.isEmptied }
        #expect(server.server.encodes == 0)
    }

    @Test func `a slow body gives its place to another one, and a new or a quick one does not`() async throws {
        let clock = ManualClock()
        let server = try TestServer.forPosts {
            $0.clock = clock
            $0.post.limit = 2
        }
        let (slow, quick) = (try begin(server, length: 200_000, from: 1), try begin(server, length: 200_000, from: 2))
        try slow.send(Data(count: 100))
        try quick.send(Data(count: 100_000))
        await waitUntil { server.server.uploads?.receivedBytes == 100_100 }
        clock.advance(by: .seconds(2))
        #expect(await (try begin(server, length: 9, from: 3)).receive().hasPrefix("HTTP/1.1 503 "))
        clock.advance(by: .seconds(1))
        let other = try begin(server, length: photo.count, lines: ["Connection: close"], from: 3)
        let answer = await slow.receive()
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("Connection: close"))
        try other.send(photo)
        #expect(await other.receive().hasPrefix("HTTP/1.1 200 "))
        // The quick one stays. The other's place returns after its answer.
        await waitUntil { server.server.uploads?.count == 1 }
        quick.leave()
        await waitUntil { server.isEmptied }
    }

    @Test(arguments: [1, 2])
    func `a client with at least two places more than another gives way sooner`(places: Int) async throws {
        let clock = ManualClock()
        let server = try TestServer.forPosts {
            $0.clock = clock
            $0.post.limit = places
        }
        let slow = try (0..<places).map { _ in try begin(server, length: 1000) }
        for client in slow { try client.send("a") }
        await waitUntil { server.server.uploads?.receivedBytes == places }
        clock.advance(by: .seconds(1))
        let other = try begin(server, length: photo.count, lines: ["Connection: close"], from: 2)
        if places > 1 { try other.send(photo) }
        #expect(await other.receive().hasPrefix("HTTP/1.1 \(places > 1 ? 200 : 503) "))
        for client in slow { client.leave() }
        await waitUntil { server.isEmptied }
    }

    @Test func `slow bodies stay if the other client has its share of places or images already`() async throws {
        for rate in [0, 1] {
            let clock = ManualClock()
            let server = try TestServer.forPosts {
                $0.clock = clock
                ($0.post.limit, $0.post.rate) = (2, rate)
                $0.post.clientLimit = rate == 0 ? 1 : 2
            }
            let slow = try (1...2).map { try begin(server, length: 1000, from: $0) }
            for client in slow { try client.send("a") }
            await waitUntil { server.server.uploads?.receivedBytes == 2 }
            clock.advance(by: .seconds(3))
            let refused = await (try begin(server, length: 9, from: 2)).receive()
            #expect(refused.hasPrefix("HTTP/1.1 \(rate == 0 ? 503 : 429) "))
            #expect(server.server.uploads?.count == 2 && server.server.uploads?.receivedBytes == 2)
            for client in slow { client.leave() }
            await waitUntil { server.isEmptied }
        }
    }

    @Test func `slow bodies give their memory to another one`() async throws {
        let clock = ManualClock()
        let server = try TestServer.forPosts {
            $0.clock = clock
            $0.memoryLimit = MemoryShares.smallest
        }
        let room = server.server.sources.held.limit
        let slow = try (1...2).map { try begin(server, length: room, from: $0) }
        let counts = [room * 3 / 10, room * 4 / 10]
        for (client, count) in zip(slow, counts) { try client.send(Data(count: count)) }
        await waitUntil { server.server.uploads?.receivedBytes == counts.reduce(0, +) }
        let image = photo + Data(count: room / 2 - photo.count)
        #expect(try await server.post("/_/w:10/", image).status == 503)
        clock.advance(by: .seconds(200))
        #expect(try await server.post("/_/w:10/", image).status == 200)
        let refused = await slow[0].receive(until: "\r\n"), other = slow[1]
        #expect(refused.hasPrefix("HTTP/1.1 408 "))
        other.leave()
        await waitUntil { server.isEmptied }
    }

    // MARK: Many

    @Test(arguments: [-1, 0, 1])
    func `a client has its share of the places`(more: Int) async throws {
        let server = try TestServer.forPosts { $0.post.clientLimit = 3 }
        let clients = try (0..<3 + more).map { _ in try begin(server, length: photo.count) }
        await waitUntil { server.server.uploads?.count == min(3 + more, 3) }
        if more > 0 { #expect(await clients[3].receive().hasPrefix("HTTP/1.1 503 ")) }
        // Another client has a place.
        let other = try begin(server, length: photo.count, from: 2)
        await waitUntil { server.server.uploads?.count == min(3 + more, 3) + 1 }
        other.leave()
        for client in clients { client.leave() }
        await waitUntil { server.isEmptied }
    }

    @Test func `a client sends as many images in a minute as it may`() async throws {
        let server = try TestServer.forPosts { $0.post.rate = 2 }
        #expect(try await server.post("/_/w:10/", photo).status == 200)
        #expect(try await server.post("/_/w:10/", photo).status == 200)
        let refused = try await server.post("/_/w:10/", photo)
        #expect(refused.status == 429 && refused.fields["Retry-After"] == "30")
    }

    @Test func `200 uploads at once, half of them given up, leave nothing`() async throws {
        let folder = TemporaryFolder()
        let server = try TestServer.forPosts {
            $0.store = folder.path
            ($0.post.limit, $0.post.clientLimit) = (300, 300)
        }
        let large = SamplePhotos.png(width: 400, height: 300)
        try #require(large.count > Uploads.memoryLimit)
        for _ in 0..<2 {
            let clients = try (0..<200).map { _ in try begin(server, length: large.count, lines: ["Connection: close"])
            }
            for client in clients { _ = try client.sendWithoutWaiting(large.prefix(70_000)) }
            await waitUntil { server.server.uploads?.count == 200 }
            for client in clients[..<100] { client.leave() }
            for client in clients[100...] { try client.send(large.dropFirst(70_000)) }
            for client in clients[100...] {
                let answer = await client.receive()
                #expect(answer.hasPrefix("HTTP/1.1 200 ") || answer.hasPrefix("HTTP/1.1 503 "))
            }
            await waitUntil { server.isEmptied }
        }
    }
}
