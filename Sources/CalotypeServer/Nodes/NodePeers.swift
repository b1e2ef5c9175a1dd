import CalotypeBase
import CalotypeHTTP
import CalotypeTransport
import Foundation

/// The admin ports of the other nodes, over HTTP.
final class NodePeers: PurgePeers {
    /// The time limits for finding the addresses of a name, and for an answer.
    static let lookupLimit = Duration.seconds(2)
    static let limit = Duration.seconds(3)
    /// The maximum number of connections to one node.
    static let connections = 2
    /// The maximum size of an answer, in bytes.
    private static let answerLimit = 64 << 10

    private let nodes: [NodeAddress]
    private let token: AdminToken
    private let clock: any Clock<Duration>
    private let transport: any Transport
    private let addresses: @Sendable (String) async throws(TransportError) -> [String]

    /// - Parameter addresses: Returns the addresses of a name. The default asks the system each time.
    init(
        _ nodes: [NodeAddress], token: AdminToken, clock: any Clock<Duration>, transport: (any Transport)? = nil,
        addresses: @escaping @Sendable (String) async throws(TransportError) -> [String] = HostAddresses.find
    ) {
        (self.nodes, self.token, self.clock, self.addresses) = (nodes, token, clock, addresses)
        var options = CurlTransport.Options()
        options.connectionsPerHost = Self.connections
        self.transport = transport ?? CurlTransport(options: options)
    }

    func pass(_ purge: PassedPurge) async -> [PeerResult] {
        // Two names may have one address.
        let asked = Locked<Set<NodeAddress>>([])
        let results = await withTaskGroup(of: [PeerResult].self) { group in
            for node in nodes { group.addTask { await self.pass(purge, to: node, except: asked) } }
            return await group.reduce(into: [PeerResult]()) { $0 += $1 }
        }
        return results.sorted { $0.node.utf8.lexicographicallyPrecedes($1.node.utf8) }
    }

    private func pass(
        _ purge: PassedPurge, to node: NodeAddress, except asked: Locked<Set<NodeAddress>>
    ) async -> [PeerResult] {
        let found: [String]
        do throws(TransportError) {
            let late = TransportError(.timedOut, "no name server returned the address of \(node.host) in time")
            found = try await withTimeout(Self.lookupLimit, clock: clock, timedOut: late, cancelled: .cancelled) {
                [addresses] () throws(TransportError) in try await addresses(node.host)
            }
        } catch {
            return [PeerResult(node: node.description, error: error.message)]
        }
        let new = asked.withLock { asked in
            found.map { NodeAddress(host: $0, port: node.port) }.filter { asked.insert($0).inserted }
        }
        return await withTaskGroup(of: PeerResult.self) { group in
            for address in new { group.addTask { await self.result(of: purge, at: address) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func result(of purge: PassedPurge, at node: NodeAddress) async -> PeerResult {
        let late = TransportError(.timedOut, "the node did not answer within \(Self.limit.text)")
        do throws(TransportError) {
            return try await withTimeout(Self.limit, clock: clock, timedOut: late, cancelled: .cancelled) {
                [self] () throws(TransportError) in try await answer(to: purge, of: node)
            }
        } catch {
            return PeerResult(node: node.description, error: error.message)
        }
    }

    private func answer(to purge: PassedPurge, of node: NodeAddress) async throws(TransportError) -> PeerResult {
        guard let url = URL(string: "http://\(node)/.calotype/purge") else {
            throw TransportError(.malformedURL, "\(node) is no address")
        }
        var fields: HTTPFields = ["Authorization": token.proof, "Content-Type": "application/json"]
        fields[CaselessString(PassedPurge.sender)] = purge.from
        fields[CaselessString(PassedPurge.object)] = purge.name?.text
        let request = HTTPRequest(url, method: .post, fields: fields, body: purge.body)
        let response = try await sentTwice(request)
        let body = try await response.body.collect(limit: Self.answerLimit)
        var result = PeerResult(node: node.description, status: response.status)
        let answer = try? JSONDecoder().decode(Answer.self, from: body)
        if answer?.itself == true {
            result.itself = true
        } else if response.status != 200 {
            result.error = answer?.error ?? Self.reason(for: response.status)
        } else if answer?.time == nil {
            result.error = "the answer is none of a server's admin port"
        }
        return result
    }

    private static func reason(for status: Int) -> String {
        switch status {
        case 404: "the status is 404: the node has no --admin-token, or is of another version"
        case 405: "the status is 405: this is no admin port"
        default: "the status is \(status)"
        }
    }

    /// Sends the request once more if a kept connection is lost, as after a restart of the node. A second purge does no
    /// harm.
    private func sentTwice(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do throws(TransportError) { return try await transport.send(request) } catch {
            guard error.code == .connectionLost else { throw error }
            return try await transport.send(request)
        }
    }

    private struct Answer: Decodable {
        var time: String?
        var error: String?
        var itself: Bool?

        enum CodingKeys: String, CodingKey {
            case time, error
            case itself = "self"
        }
    }
}
