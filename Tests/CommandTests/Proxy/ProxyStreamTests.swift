import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeStore
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// Large bodies through a proxy with a store on disk.
@Suite(.timeLimit(.minutes(1))) struct ProxyStreamTests {
    private static let body = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 7) >> 4) })
    private let origin: OriginServer
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "calotype-proxy-\(UUID().uuidString)").path
    private let complaints = Locked([String]())
    private let disk: DiskStore
    private let network: CurlTransport
    private let metrics = ProxyMetrics()

    init() throws {
        origin = try OriginServer()
        disk = DiskStore(directory: folder)
        var curl = CurlTransport.Options()
        curl.addsNothing = true
        curl.connectionsPerHost = 128
        curl.bodyBuffer = 32 << 10
        curl.pieceLimit = 16 << 20
        network = CurlTransport(options: curl)
    }

    private func proxy() throws -> Listener {
        var options = Listener.Options()
        options.streamsBodies = true
        options.onEnd = { [metrics] _, outcome in metrics.requestEnded(outcome) }
        let upstream = ProxyUpstream(network, mode: .shared, disk: disk) { [complaints] text in
            complaints.withLock { $0.append(text) }
        }
        let route = ProxyRoute(origin: try HTTPOrigin(origin.url))
        let proxy = Proxy(route: route, upstream: upstream, metrics: metrics, complain: { _ in })
        return try Listener(options: options, answer: proxy.answer)
    }

    private var fields: HTTPFields {
        ["Cache-Control": "max-age=6000", "ETag": "\"1\"", "Accept-Ranges": "bytes"]
    }

    private var unfinished: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/temp")
        return (names ?? []).filter { !$0.hasSuffix(".lock") }
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func get(_ listener: Listener, _ path: String, _ fields: HTTPFields = [:]) async throws -> HTTPResponse {
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)\(path)"))
        return try await CurlTransport().send(HTTPRequest(url, fields: fields))
    }

    @Test func `are stored while they arrive, and sent from the disk, whole and in parts`() async throws {
        defer { clean() }
        origin.on("/a", OriginReply(fields: fields, body: Self.body))
        let listener = try proxy()
        for _ in 0..<3 { #expect(try await get(listener, "/a").body.collect() == Self.body) }
        let part = try await get(listener, "/a", ["Range": "bytes=5000000-5000009"])
        #expect(part.status == 206)
        #expect(try await part.body.collect() == Self.body[5_000_000..<5_000_010])
        #expect(origin.requestCount() == 1 && unfinished.isEmpty)
        #expect(complaints.withLock { $0 } == [])
    }

    @Test func `are loaded once for clients that come while they arrive`() async throws {
        defer { clean() }
        let gate = Gate()
        origin.on("/a", OriginReply(fields: fields, body: Self.body).bodyHeld(by: gate, after: 5_000_000))
        let listener = try proxy()
        async let first = get(listener, "/a").body.collect()
        await waitUntil { disk.streamedBytes >= 4_000_000 }
        async let second = get(listener, "/a").body.collect()
        async let third = get(listener, "/a").body.collect()
        gate.open()
        let bodies = try await [first, second, third]
        #expect(bodies.allSatisfy { $0 == Self.body })
        #expect(origin.requestCount() == 1)
    }

    @Test func `that a client leaves go on where it left them`() async throws {
        defer { clean() }
        let gate = Gate()
        let fields = fields
        origin.on("/a") { request in
            guard let range = request.fields["Range"], let start = Int(range.string.dropFirst(6).dropLast()) else {
                return OriginReply(fields: fields, body: Self.body).bodyHeld(by: gate, after: 5_000_000)
            }
            var fields = fields
            fields["Content-Range"] = "bytes \(start)-5999999/6000000"
            return OriginReply(status: 206, fields: fields, body: Self.body[start...])
        }
        let listener = try proxy()
        let leaving = Task { try await get(listener, "/a").body.collect() }
        await waitUntil { disk.streamedBytes >= 4_000_000 }
        leaving.cancel()
        _ = try? await leaving.value
        await waitUntil { unfinished.isEmpty }
        #expect(try await get(listener, "/a").body.collect() == Self.body)
        #expect(origin.requests.last?.fields["If-Range"] == "\"1\"")
        gate.open()
    }

    @Test func `to 200 clients, half of which leave in the middle, keep no file, room or memory`() async throws {
        defer { clean() }
        let gate = Gate()
        let body = Self.body.prefix(1_500_000)
        for number in 0..<100 {
            origin.on("/\(number)", OriginReply(fields: fields, body: body).bodyHeld(by: gate, after: 1_400_000))
        }
        let listener = try proxy()
        var options = CurlTransport.Options()
        (options.connectionsPerHost, options.transferLimit) = (200, 200)
        let clients = CurlTransport(options: options)
        // Two for each body. Both clients of half of the bodies leave.
        let readers = try (0..<200).map { number in
            let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/\(number / 2)"))
            return Task {
                var read = Data()
                for try await chunk in try await clients.send(HTTPRequest(url)).body {
                    read += chunk
                    if read.count >= 700_000, number % 4 < 2 { return false }
                }
                return read == body
            }
        }
        for number in 0..<200 where number % 4 < 2 { #expect(try await !readers[number].value) }
        gate.open()
        for number in 0..<200 where number % 4 >= 2 { #expect(try await readers[number].value) }
        await waitUntil { [metrics, disk, network] in
            metrics.counts.inFlight == 0 && disk.streamedBytes == 0 && network.pieces == 0
        }
        await waitUntil { unfinished.isEmpty && openTemporaries == 0 }
        #expect(complaints.withLock { $0 } == [])
    }

    /// The number of unfinished files that this process has open, deleted ones included.
    private var openTemporaries: Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count { number in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return path?.contains("\(folder)/temp/") == true && path?.hasSuffix(".lock") == false
        }
    }

    @Test func `pass whole through a proxy whose disk is full, and are not stored`() async throws {
        defer { clean() }
        origin.on("/a", OriginReply(fields: fields, body: Self.body))
        let errors = FileManager.default.temporaryDirectory.appending(path: "calotype-\(UUID().uuidString).log")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        let child = try ServerChild(
            [
                "proxy", "--origin", origin.url.absoluteString, "--listen", "127.0.0.1:0", "--store", folder,
                "--verbose",
            ], fileBlocks: 4000, errors: try FileHandle(forWritingTo: errors))
        let url = try #require(URL(string: "http://127.0.0.1:\(child.port)/a"))
        for _ in 0..<2 {
            #expect(try await CurlTransport().send(HTTPRequest(url)).body.collect() == Self.body)
        }
        #expect(origin.requestCount() == 2)
        await waitUntil { unfinished.isEmpty }
        await waitUntil { (try? String(contentsOf: errors, encoding: .utf8))?.contains("proxy: the cache:") == true }
    }
}
