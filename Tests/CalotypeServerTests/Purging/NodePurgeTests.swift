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
                return await answers.purge(request)
            }
            setPeers(nil, token: token)
        }

        deinit { admin.stop() }

        var port: Int { admin.url.port ?? 0 }
        var address: NodeAddress { NodeAddress(host: "127.0.0.1", port: port) }
        var lines: [PurgeLine] { server.server.purging.list.lines }

        func setPeers(_ peers: NodePeers?, token: String = NodePurgeTests.text, far: FarPurges? = nil) {
            let fleet = FleetPurges(server.server.purging, peers: peers, far: far)
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
            #expect(node.lines.map(\.target.url) == ["https://images.example.com/cat.jpg"])
            #expect(node.lines.map(\.isHard) == [false])
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
        #expect(second.lines.count == 1 && first.lines.count == 1)
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
        #expect(first.lines.count == 1 && second.lines.count == 1)
    }

    @Test func `with a far store, from which it learns the purge, a node that is away is a 200`() async throws {
        let objects = MemoryObjectStore()
        let first = try Node(), gone = try Node()
        gone.admin.stop()
        var options = first.server.options
        options.clock = clock
        let store = PurgeObjects(objects: objects, folder: "purges/", age: 1000, setReadable: { _ in })
        first.setPeers(
            try peers([gone.address]),
            far: FarPurges(store, first.server.server.purging, options.basis, isNewStore: true))
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
        #expect(first.lines.count == 1)
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
        #expect(other.lines == [])
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
        #expect(next.lines.count == 1)
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
        #expect(first.lines.count == FleetPurges.limit)
        gate.open()
        var taken = 0
        for status in statuses where try await status.value == 200 { taken += 1 }
        #expect(taken == FleetPurges.limit && silent.lines.count == taken)
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
            #expect(Set(node.lines.map(\.target.url)) == taken)
            #expect(node.requests.withLock { $0.most } <= FleetPurges.connections)
        }
    }
}
