import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeListener
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Testing
import Waiting

@testable import calotype_command

/// Slow clients and origins, and the clients served meanwhile.
@Suite(.timeLimit(.minutes(3))) struct SlowClientsTests {
    private let origin: OriginServer
    private let metrics = ProxyMetrics()
    private let time = Locked<UInt64>(0)

    init() throws {
        origin = try OriginServer()
        origin.on("/miss", OriginReply(fields: ["Cache-Control": "no-store"], body: Data("there".utf8)))
    }

    private func transport(places: Int, perOrigin: Int, shares: Bool = false) -> CurlTransport {
        var curl = CurlTransport.Options()
        curl.addsNothing = true
        (curl.transferLimit, curl.connectionsPerHost) = (places, perOrigin)
        curl.waitingLimit = 64
        curl.sharesPlaces = shares
        return CurlTransport(options: curl)
    }

    private func proxy(_ transport: CurlTransport, forward: Bool = false) throws -> Listener {
        var options = Listener.Options()
        options.streamsBodies = true
        options.bodyLimit = 1 << 40
        options.connectionLimit = 4096
        options.clock = { [time] in time.withLock { $0 } }
        options.onEnd = { [metrics] _, outcome in metrics.requestEnded(outcome) }
        let proxy = Proxy(
            route: ProxyRoute(origin: forward ? nil : try HTTPOrigin(origin.url)),
            upstream: ProxyUpstream(transport, mode: .shared), metrics: metrics, complain: { _ in })
        return try Listener(options: options, answer: proxy.answer)
    }

    private func ask(_ listener: Listener, _ target: String) async throws -> String {
        let client = try RawClient(port: listener.port)
        try client.get(target, lines: ["Connection: close"])
        return await client.receive()
    }

    private func pass(_ seconds: UInt64, _ listener: Listener) {
        time.withLock { $0 += seconds * 1_000_000_000 }
        listener.timeHasChanged()
    }

    // 128 of them used to hold every slot of the origin.
    @Test(arguments: [1, 2048]) func `uploads that trickle hold no place`(bytesPerSecond: Int) async throws {
        let transport = transport(places: 4, perOrigin: 4)
        let listener = try proxy(transport)
        let slow = try (0..<12).map { _ in
            let client = try RawClient(port: listener.port)
            try client.get("/up", method: "POST", lines: ["Content-Length: 1000000"])
            return client
        }
        for _ in 0..<5 {
            for client in slow { try client.send(Data(count: bytesPerSecond)) }
            await waitUntil { transport.load.inFlight >= slow.count }
            #expect(try await ask(listener, "/miss").hasSuffix("there"))
            pass(1, listener)
        }
        #expect(metrics.counts.dropped == 0)
    }

    @Test(arguments: [0, 2048]) func `clients that hardly read hold no place`(bytesPerSecond: Int) async throws {
        origin.on("/large", OriginReply(fields: ["Cache-Control": "no-store"], body: Data(count: 16 << 20)))
        let transport = transport(places: 4, perOrigin: 4)
        let listener = try proxy(transport)
        let slow = try (0..<12).map { _ in
            let client = try RawClient(port: listener.port)
            try client.get("/large")
            return client
        }
        for _ in 0..<5 {
            await waitUntil { transport.load.inFlight >= slow.count }
            #expect(try await ask(listener, "/miss").hasSuffix("there"))
            if bytesPerSecond > 0 { for client in slow { _ = await client.receive(count: bytesPerSecond) } }
            pass(1, listener)
        }
        #expect(metrics.counts.dropped == 0)
    }

    @Test func `origins that never answer leave room for one that does`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let silent = try (2..<6).map { number in
            let origin = try OriginServer(host: "127.0.0.\(number)")
            origin.onAny { _ in OriginReply.ok(Data()).held(by: gate) }
            return origin
        }
        let listener = try proxy(transport(places: 16, perOrigin: 4, shares: true), forward: true)
        let waiting = try silent.flatMap { silent in
            try (0..<8).map { number in
                let client = try RawClient(port: listener.port)
                try client.get("\(silent.url.absoluteString)/\(number)")
                return client
            }
        }
        await waitUntil { metrics.counts.inFlight >= waiting.count }
        #expect(try await ask(listener, "\(origin.url.absoluteString)/miss").hasSuffix("there"))
    }

    // Each port used to have a separate share: twelve took all slots.
    @Test func `one host leaves room for others, however many ports are asked`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let silent = try (0..<12).map { _ in
            let origin = try OriginServer(host: "127.0.0.2")
            origin.onAny { _ in OriginReply.ok(Data()).held(by: gate) }
            return origin
        }
        let transport = transport(places: 16, perOrigin: 4, shares: true)
        let listener = try proxy(transport, forward: true)
        let waiting = try silent.flatMap { silent in
            try (0..<4).map { number in
                let client = try RawClient(port: listener.port)
                try client.get("\(silent.url.absoluteString)/\(number)")
                return client
            }
        }
        await waitUntil { transport.load.waiting >= waiting.count - 8 }
        #expect(transport.load.inFlight == 8)
        #expect(try await ask(listener, "\(origin.url.absoluteString)/miss").hasSuffix("there"))
    }

    // Waiters beyond 1,024 used to go on alone.
    @Test func `two thousand clients that ask for the same at the same time are one request`() async throws {
        _ = ServerLimits.raisedDescriptorLimit()
        let gate = Gate()
        defer { gate.open() }
        origin.on(
            "/new", OriginReply(fields: ["Cache-Control": "max-age=60"], body: Data("once".utf8)).held(by: gate))
        let listener = try proxy(transport(places: 512, perOrigin: 128))
        let clients = try (0..<2000).map { _ in
            let client = try RawClient(port: listener.port)
            try client.get("/new")
            return client
        }
        await waitUntil { metrics.counts.inFlight >= clients.count }
        gate.open()
        for client in clients { #expect(await client.receive(until: "once").hasPrefix("HTTP/1.1 200")) }
        #expect(origin.requestCount() == 1)
    }

    @Test(arguments: [64, 256, 1024, 4096, 20_000, 1 << 20])
    func `descriptors suffice for clients, origins and the store`(_ descriptors: Int) {
        let limits = ServerLimits.ofProxy(descriptors: descriptors)
        let reserve = DescriptorBudget(limit: descriptors).reserve
        #expect(limits.connections + limits.kept + reserve < descriptors)
        #expect(limits.kept > limits.transfers + limits.waiting)
        #expect(limits.connections >= min(descriptors / 16, 4096) && limits.transfers >= min(descriptors / 8, 512))
    }
}
