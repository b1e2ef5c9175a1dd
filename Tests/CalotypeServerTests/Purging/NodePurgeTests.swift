import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeServer

/// Purges that one node passes on to the admin ports of others.
struct NodePurgeTests {
    private static let text = "0123456789abcdef-secret"

    /// A server with an admin port. Its peers are those of the test.
    private final class Node: Sendable {
        let server: TestServer
        let admin: Listener
        let answers = Locked<PurgeAnswers?>(nil)
        /// The time limits of the node. Its updates happen when a test calls them.
        let clock = ManualClock()
        /// The requests of this port: those in progress, the most of them, and all.
        let requests = Locked((now: 0, most: 0, all: 0))

        init(
            _ host: String = "127.0.0.1", port: Int = 0, token: String = NodePurgeTests.text,
            before: @escaping @Sendable () async -> Void = {}
        ) throws {
            server = try TestServer { $0.adminToken = AdminToken(ByteString(token)) }
            let (answers, requests) = (answers, requests)
            var options = Listener.Options(host: host, port: port)
            options.connectionLimit = FleetPurges.connections
            admin = try Listener(options: options) { request in
                requests.withLock { ($0.now, $0.most, $0.all) = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                defer { requests.withLock { $0.now -= 1 } }
                await before()
                guard let answers = answers.withLock({ $0 }) else { return ListenerResponse(status: 404) }
                return request.method == .get ? await answers.list(request) : await answers.purge(request)
            }
            setPeers(nil, token: token)
        }

        deinit { admin.stop() }

        var sync: PurgeSync? { answers.withLock { $0 }?.fleet.sync }

        var port: Int { admin.url.port ?? 0 }
        var address: NodeAddress { NodeAddress(host: "127.0.0.1", port: port) }
        var purges: [Purge] { server.server.purging.list.purges }

        func setPeers(_ peers: NodePeers?, token: String = NodePurgeTests.text, bucket: BucketFeed? = nil) {
            var options = server.options
            options.clock = clock
            let fleet = FleetPurges(server.server.purging, options.basis, peers: peers, bucket: bucket)
            guard let token = AdminToken(ByteString(token)) else { return }
            answers.withLock { $0 = PurgeAnswers(fleet: fleet, token: token) }
        }
    }

    private struct Answer: Decodable {
        struct Result: Decodable, Equatable {
            let node: String
            var status: Int?
            var error: String?
            var `self`: Bool?
        }

        var time: String?
        var nodes: [Result]?
        var far: Bool?
        var error: String?
    }

    private let clock = ManualClock()
    private let client: CurlTransport

    init() {
        var options = CurlTransport.Options()
        options.connectionsPerHost = 200
        client = CurlTransport(options: options)
    }

    private func peers(
        _ nodes: [NodeAddress], addresses: (@Sendable (String) async throws(TransportError) -> [String])? = nil
    ) throws -> NodePeers {
        let token = try #require(AdminToken(ByteString(Self.text)))
        guard let addresses else { return NodePeers(nodes, token: token, clock: clock) }
        return NodePeers(nodes, token: token, clock: clock, addresses: addresses)
    }

    private func purge(
        _ node: Node, _ body: String = #"{"all":true}"#
    ) async throws -> (status: Int, answer: Answer) {
        let fields: HTTPFields = ["Authorization": ByteString("Bearer \(Self.text)")]
        let request = HTTPRequest(node.admin.url, method: .post, fields: fields, body: Data(body.utf8))
        let response = try await client.send(request)
        let data = try await response.body.collect()
        return (response.status, try JSONDecoder().decode(Answer.self, from: data))
    }

    @Test(.requirement("V46")) func `the node that takes a purge passes it on once, and returns each result`()
        async throws
    {
        let nodes = [try Node(), try Node(), try Node()]
        let addresses = nodes.map(\.address)
        for node in nodes { node.setPeers(try peers(addresses)) }
        let body = #"{"source":"https://images.example.com/cat.jpg","soft":true}"#
        let (status, answer) = try await purge(nodes[0], body)
        #expect(status == 200 && answer.error == nil && answer.time != nil)
        let results = try #require(answer.nodes)
        #expect(results.map(\.node) == addresses.map(\.description).sorted())
        #expect(results.allSatisfy { $0.status == 200 && $0.error == nil })
        // The node itself is one of the addresses, and has the purge once.
        #expect(results.filter { $0.`self` == true }.map(\.node) == [addresses[0].description])
        for node in nodes {
            #expect(node.purges.map(\.target.url) == ["https://images.example.com/cat.jpg"])
            #expect(node.purges.map(\.isHard) == [false])
        }
        #expect(nodes.map { $0.requests.withLock { $0.all } } == [2, 1, 1])
    }

    @Test func `a name stands for all its addresses, and each gets a purge once`() async throws {
        let first = try Node()
        let second = try Node("127.0.0.2", port: first.port)
        first.setPeers(
            try peers([
                NodeAddress(host: "nodes.test", port: first.port), NodeAddress(host: "others.test", port: first.port),
            ]) { _ throws(TransportError) in ["127.0.0.2", "127.0.0.1"] })
        let (status, answer) = try await purge(first)
        #expect(status == 200)
        #expect(answer.nodes?.map(\.node) == ["127.0.0.1:\(first.port)", "127.0.0.2:\(first.port)"])
        #expect(second.purges.count == 1 && first.purges.count == 1)
    }

    @Test func `a node that is away is a 502, and the others have the purge`() async throws {
        let first = try Node(), second = try Node(), gone = try Node()
        gone.admin.stop()
        first.setPeers(try peers([gone.address, second.address]))
        let (status, answer) = try await purge(first)
        #expect(status == 502)
        #expect(answer.error == "the purge is not known to be in force on \(gone.address)")
        let result = try #require(answer.nodes?.first { $0.node == gone.address.description })
        #expect(result.status == nil && result.error?.isEmpty == false)
        #expect(first.purges.count == 1 && second.purges.count == 1)
    }

    @Test func `with a far store, from which it learns the purge, a node that is away is a 200`() async throws {
        let objects = MemoryObjectStore()
        let first = try Node(), gone = try Node()
        gone.admin.stop()
        let bucket = BucketFeed(objects: objects, folder: "purges/", age: 1000, setReadable: { _ in })
        first.setPeers(try peers([gone.address]), bucket: bucket)
        // Its clock may be wrong until then, and the purge's time with it.
        let early = try await purge(first)
        #expect(early.status == 502 && early.answer.far == false && objects.now.objects.isEmpty)
        try await update(first)
        #expect(objects.now.objects.count == 1)
        objects.update { $0.objects = [:] }
        let (status, answer) = try await purge(first)
        #expect(status == 200 && answer.far == true && answer.error == nil)
        #expect(answer.nodes?.first?.error?.isEmpty == false)
        #expect(objects.now.objects.count == 1)
        // Neither has it then.
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        let second = try await purge(first)
        #expect(second.status == 502 && second.answer.far == false)
    }

    @Test func `a silent node, and a silent name server, have a time limit`() async throws {
        let gate = Gate()
        let first = try Node(), silent = try Node(before: { await gate.wait() })
        let nodes = [silent.address, NodeAddress(host: "silent.test", port: 1)]
        first.setPeers(
            try peers(nodes) { host throws(TransportError) in
                if host == "silent.test" { await gate.wait() }
                return [host]
            })
        let answer = Task { try await purge(first) }
        await gate.waitForWaiters(2)
        await clock.waitForSleepers(2)
        clock.advance(by: NodePeers.lookupLimit + NodePeers.limit)
        let (status, text) = try await answer.value
        #expect(status == 502)
        let errors = (text.nodes ?? []).compactMap(\.error)
        #expect(errors.contains { $0.contains("did not answer within") })
        #expect(errors.contains { $0.contains("the address of silent.test in time") })
        #expect(first.purges.count == 1)
        gate.open()
    }

    @Test func `a name without an address, another token and another server are failures`() async throws {
        let first = try Node(), other = try Node(token: "another-secret-of-16")
        let stranger = try Listener(options: Listener.Options(port: 0)) { _ in
            ListenerResponse(body: Data("welcome".utf8))
        }
        defer { stranger.stop() }
        let nodes = [
            other.address, NodeAddress(host: "127.0.0.1", port: stranger.url.port ?? 0),
            NodeAddress(host: "absent.test", port: 1),
        ]
        first.setPeers(
            try peers(nodes) { host throws(TransportError) in
                if host == "absent.test" { throw TransportError(.cannotFindHost, "the host cannot be found") }
                return [host]
            })
        let (status, answer) = try await purge(first)
        #expect(status == 502)
        let errors = (answer.nodes ?? []).compactMap(\.error)
        #expect(errors.count == 3)
        #expect(errors.contains { $0.contains("token") } && errors.contains("the host cannot be found"))
        #expect(errors.contains("the answer is none of a server's admin port"))
        #expect(other.purges == [])
    }

    @Test func `a purge that was refused is not passed on`() async throws {
        let first = try Node(), second = try Node()
        first.setPeers(try peers([second.address]))
        #expect(try await purge(first, "{}").status == 400)
        #expect(second.requests.withLock { $0.all } == 0)
    }

    @Test func `a node that was restarted gets the next purge`() async throws {
        let first = try Node()
        var second: Node? = try Node()
        let address = try #require(second?.address)
        first.setPeers(try peers([address]))
        #expect(try await purge(first).status == 200)
        second?.admin.stop()
        second = nil
        let next = try Node(port: address.port)
        #expect(try await purge(first).status == 200)
        #expect(next.purges.count == 1)
    }

    @Test func `beyond their limit, purges are refused before they take effect`() async throws {
        let gate = Gate()
        let first = try Node(), silent = try Node(before: { await gate.wait() })
        first.setPeers(try peers([silent.address]))
        let refused = Locked(0)
        let statuses = (0..<200).map { number in
            Task {
                let status = try await purge(first, #"{"source":"https://a.test/\#(number)"}"#).status
                if status == 503 { refused.withLock { $0 += 1 } }
                return status
            }
        }
        await waitUntil { refused.withLock { $0 } == 200 - FleetPurges.limit }
        #expect(first.purges.count == FleetPurges.limit)
        gate.open()
        var taken = 0
        for status in statuses where try await status.value == 200 { taken += 1 }
        #expect(taken == FleetPurges.limit && silent.purges.count == taken)
        #expect(silent.requests.withLock { $0.most } <= NodePeers.connections)
    }

    @Test func `200 purges at once keep their limit, on two nodes that pass them on to each other`() async throws {
        let nodes = [try Node(), try Node()]
        for node in nodes { node.setPeers(try peers(nodes.map(\.address))) }
        let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let body = #"{"source":"https://a.test/\#(number)"}"#
                    return (number, try await purge(nodes[number % 2], body).status)
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
        }
        #expect(Set(statuses.values).isSubset(of: [200, 503]))
        let taken = Set(statuses.filter { $0.value == 200 }.keys.map { ByteString("https://a.test/\($0)") })
        #expect(taken.count >= 2)
        for node in nodes {
            #expect(Set(node.purges.map(\.target.url)) == taken)
            #expect(node.requests.withLock { $0.most } <= FleetPurges.connections)
        }
    }

    // Nodes without a far store have no clock in common.
    @Test(.requirement("V46"), arguments: [300, -300])
    func `a purge that is passed on is in force by the clock of its receiver`(ahead: Int) async throws {
        let (first, second) = (try Node(), try Node())
        first.setPeers(try peers([second.address]))
        first.server.clock.advance(by: .seconds(ahead))
        #expect(try await purge(second).status == 200)
        second.server.clock.advance(by: .seconds(30))
        #expect(try await purge(first, #"{"source":"https://a.test/x"}"#).status == 200)
        let now = second.server.clock.wall.now
        #expect(second.purges.last?.target == first.purges.last?.target && second.purges.last?.learnt == now)
    }

    // MARK: Nodes that ask others

    private func update(_ node: Node) async throws { await (try #require(node.sync)).update() }

    /// Makes nodes that know each other.
    private func fleet(_ count: Int) throws -> [Node] {
        let nodes = try (0..<count).map { _ in try Node() }
        for node in nodes { node.setPeers(try peers(nodes.map(\.address))) }
        return nodes
    }

    @Test(.requirement("V46")) func `a node that was away learns purges from another one, without a far store`()
        async throws
    {
        let (first, gone) = (try Node(), try Node())
        gone.admin.stop()
        first.setPeers(try peers([gone.address]))
        #expect(try await purge(first, #"{"prefix":"https://a.test/x"}"#).status == 502)
        let back = try Node()
        back.setPeers(try peers([first.address]))
        back.server.clock.advance(by: .seconds(20))
        try await update(back)
        let purges = back.purges
        #expect(purges.map(\.id) == first.purges.map(\.id) && purges.map(\.target) == first.purges.map(\.target))
        // The node has made results without regard to it.
        #expect(purges.map(\.learnt) == [back.server.clock.wall.now])
        // Learnt once, and by the first node not again.
        back.server.clock.advance(by: .seconds(20))
        try await update(back)
        try await update(first)
        #expect(back.purges == purges && first.purges.count == 1)
    }

    @Test(.requirement("V46"))
    func `a node knows all purges after the list of a node that does, or those of all nodes`() async throws {
        let nodes = try fleet(3)
        nodes[2].admin.stop()
        for node in nodes { #expect(node.sync?.unreadiness == "the purges of other nodes are not known yet") }
        try await update(nodes[0])
        #expect(nodes[0].sync?.isComplete == false)
        let third = try Node(port: nodes[2].port)
        third.setPeers(try peers(nodes.map(\.address)))
        try await update(nodes[0])
        #expect(nodes[0].sync?.isComplete == true && nodes[0].sync?.unreadiness == nil)
        // Now, that of one node is enough.
        third.admin.stop()
        try await update(nodes[1])
        #expect(nodes[1].sync?.isComplete == true)
    }

    @Test(.requirement("V46"))
    func `a node that starts sends nothing stored before it knows the purges, and forgets nothing`()
        async throws
    {
        let first = try Node()
        try first.server.write(SamplePhotos.jpeg(width: 64, height: 48), "cat.jpg")
        let target: ByteString = "/_/w:10/plain/local:///cat.jpg@png"
        #expect(try await first.server.get(target).outcome == "made")
        first.server.clock.advance(by: .seconds(5))
        #expect(try await first.server.get(target).outcome == "hit")
        // As after a start with the same store.
        let other = try Node()
        first.setPeers(try peers([other.address]))
        for _ in 0..<2 { #expect(try await first.server.get(target).status == 200) }
        #expect(try await first.server.get(target).outcome == "hit")
        #expect(first.server.server.encodes == 2)
        other.setPeers(try peers([first.address]))
        first.server.clock.advance(by: .seconds(5))
        try await update(first)
        #expect(try await first.server.get(target).outcome == "hit")
        #expect(first.server.server.encodes == 2)
    }

    @Test func `nodes of version 0 1, and those with another token, complete no list`() async throws {
        let old = try Listener(options: Listener.Options(port: 0)) { _ in
            ListenerResponse(body: Data(#"{"limit":10000,"purges":[]}"#.utf8))
        }
        defer { old.stop() }
        let (node, stranger) = (try Node(), try Node(token: "another-secret-of-16"))
        node.setPeers(
            try peers([NodeAddress(host: "127.0.0.1", port: old.url.port ?? 0), stranger.address]))
        try await update(node)
        #expect(node.sync?.isComplete == false && node.purges == [])
    }

    @Test(.requirement("V46"))
    func `a node that hears neither another one nor the far store is not ready, and states it`() async throws {
        let objects = MemoryObjectStore()
        let (node, other) = (try Node(), try Node())
        other.setPeers(try peers([node.address]))
        let bucket = BucketFeed(objects: objects, folder: "purges/", age: 1000, setReadable: { _ in })
        node.setPeers(try peers([other.address]), bucket: bucket)
        try await update(node)
        #expect(node.sync?.unreadiness == nil)
        objects.update { $0.failure = TransportError(.cannotConnect, "connection refused") }
        node.clock.advance(by: PurgeKnowledge.silence * 2)
        // One of them is enough.
        try await update(node)
        #expect(node.sync?.unreadiness == nil)
        other.admin.stop()
        node.clock.advance(by: PurgeKnowledge.silence + .seconds(1))
        try await update(node)
        #expect(node.sync?.unreadiness == "neither another node nor the far store has answered for 30 s")
        objects.update { $0.failure = nil }
        try await update(node)
        #expect(node.sync?.unreadiness == nil)
    }

    /// A node beside a far store whose clock is right.
    private func node(ahead: Double, _ objects: MemoryObjectStore, isReadable: Locked<Bool> = Locked(false))
        async throws
        -> Node
    {
        let node = try Node()
        let bucket = BucketFeed(objects: objects, folder: "purges/", age: 1000) { isAllowed in
            isReadable.withLock { $0 = isAllowed }
        }
        node.setPeers(nil, bucket: bucket)
        objects.update { $0.date = node.server.clock.wall.now - ahead }
        try await update(node)
        return node
    }

    @Test(.requirement("V46"), arguments: [60.0, -60, 8, -8, 4, -4])
    func `a node whose clock is not that of the far store is not ready, states it, and shares no results`(
        ahead: Double
    ) async throws {
        let (objects, isReadable) = (MemoryObjectStore(), Locked(false))
        let node = try await node(ahead: ahead, objects, isReadable: isReadable)
        let reason = try #require(node.sync).unreadiness
        if abs(ahead) < 5 { return #expect(reason == nil && isReadable.withLock { $0 }) }
        #expect(
            reason?.contains(ahead > 0 ? "s ahead of that of the far store" : "s behind that of the far store") == true)
        #expect(!isReadable.withLock { $0 })
        objects.update { $0.date = node.server.clock.wall.now }
        try await update(node)
        #expect(node.sync?.unreadiness == nil && isReadable.withLock { $0 })
    }

    // Others judge results in the far store by it. It covered none that were made in the last minute.
    @Test(.requirement("V46"), arguments: [60.0, -60, 8, -8])
    func `a purge of a node whose clock is wrong has the time of the far store`(ahead: Double) async throws {
        let objects = MemoryObjectStore()
        let node = try await node(ahead: ahead, objects)
        #expect(try await purge(node).status == 200)
        let purge = try #require(node.purges.first)
        #expect(abs(purge.id.time - (node.server.clock.wall.now - ahead)) < 2)
        #expect(purge.learnt == node.server.clock.wall.now)
        // When its clock is right.
        #expect(purge.farUntil >= purge.id.time + Purge.clockReach)
    }

    @Test(.requirement("V46")) func `a node whose clock is minutes wrong takes and learns no purge until it is right`()
        async throws
    {
        let objects = MemoryObjectStore()
        let node = try await node(ahead: -300, objects)
        let other = Purge(.all, isHard: true, at: node.server.clock.wall.now + 299)
        objects.update { $0.objects["purges/\(other.id.text)"] = Data("\(other.text)\n".utf8) }
        try await update(node)
        #expect(try await purge(node).status == 503)
        #expect(node.purges == [] && node.sync?.unreadiness != nil)
        node.server.clock.advance(by: .seconds(300))
        try await update(node)
        #expect(node.purges.map(\.id) == [other.id] && node.purges[0].farUntil == other.id.time + Purge.clockReach)
        #expect(try await purge(node).status == 200)
    }
}
