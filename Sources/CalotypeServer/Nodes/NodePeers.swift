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
        let results = await atEach { node in
            await self.answered(by: node) { () throws(TransportError) in try await self.answer(to: purge, of: node) }
        } failed: {
            PeerResult(node: $0.description, error: $1.message)
        }
        return results.sorted { $0.node.utf8.lexicographicallyPrecedes($1.node.utf8) }
    }

    func purges(after places: [NodeAddress: PurgePage.Place], from sender: ByteString) async -> [PeerAnswer] {
        await atEach { node in
            let fields: HTTPFields = [
                CaselessString(PassedPurge.sender): sender,
                CaselessString(PurgePage.after): ByteString(places[node] ?? "-"),
            ]
            return await self.answered(by: node) { () throws(TransportError) in
                let response = try await self.send(.get, "purges", to: node, fields)
                let body = try await response.body.collect(limit: PurgePage.limit)
                guard response.status == 200 else { return PeerAnswer(node: node) }
                let isSelf = (try? JSONDecoder().decode(Answer.self, from: body))?.itself == true
                let page = try? JSONDecoder().decode(PurgePage.self, from: body)
                return PeerAnswer(node: node, page: page, hasAnswered: !isSelf, isSelf: isSelf)
            }
        } failed: { node, _ in
            PeerAnswer(node: node)
        }
    }

    // MARK: Nodes

    /// Asks each node, all at once.
    private func atEach<Result: Sendable>(
        _ ask: @escaping @Sendable (NodeAddress) async -> Swift.Result<Result, TransportError>,
        failed: @escaping @Sendable (NodeAddress, TransportError) -> Result
    ) async -> [Result] {
        // Two names may have one address.
        let asked = Locked<Set<NodeAddress>>([])
        return await withTaskGroup(of: [Result].self) { group in
            for node in nodes {
                group.addTask {
                    let found: [String]
                    do throws(TransportError) { found = try await self.hosts(of: node) } catch {
                        return [failed(node, error)]
                    }
                    let new = asked.withLock { asked in
                        found.map { NodeAddress(host: $0, port: node.port) }.filter { asked.insert($0).inserted }
                    }
                    return await withTaskGroup(of: Result.self) { group in
                        for address in new {
                            group.addTask {
                                switch await ask(address) {
                                case .success(let result): result
                                case .failure(let error): failed(address, error)
                                }
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func hosts(of node: NodeAddress) async throws(TransportError) -> [String] {
        let late = TransportError(.timedOut, "no name server returned the address of \(node.host) in time")
        return try await withTimeout(Self.lookupLimit, clock: clock, timedOut: late, cancelled: .cancelled) {
            [addresses] () throws(TransportError) in try await addresses(node.host)
        }
    }

    private func answered<Result: Sendable>(
        by node: NodeAddress, _ ask: @escaping @Sendable () async throws(TransportError) -> Result
    ) async -> Swift.Result<Result, TransportError> {
        let late = TransportError(.timedOut, "the node did not answer within \(Self.limit.text)")
        do throws(TransportError) {
            return .success(
                try await withTimeout(Self.limit, clock: clock, timedOut: late, cancelled: .cancelled, work: ask))
        } catch {
            return .failure(error)
        }
    }

    private func answer(to purge: PassedPurge, of node: NodeAddress) async throws(TransportError) -> PeerResult {
        let fields: HTTPFields = [
            "Content-Type": "application/json", CaselessString(PassedPurge.sender): purge.from,
            CaselessString(PassedPurge.identity): purge.id.text,
        ]
        let response = try await send(.post, "purge", to: node, fields, body: purge.body)
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

    /// Sends a request, once more if a kept connection is lost, as after a restart of the node. A second purge does no
    /// harm.
    private func send(
        _ method: HTTPMethod, _ page: String, to node: NodeAddress, _ more: HTTPFields, body: Data? = nil
    ) async throws(TransportError) -> HTTPResponse {
        guard let url = URL(string: "http://\(node)/.calotype/\(page)") else {
            throw TransportError(.malformedURL, "\(node) is no address")
        }
        var fields = more
        fields["Authorization"] = token.proof
        let request = HTTPRequest(url, method: method, fields: fields, body: body)
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
