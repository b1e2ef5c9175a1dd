import CalotypeBase
import CalotypeServer
import CalotypeTransport

extension PurgeOptions {
    /// The flags of purges on the admin port, in the order of the help.
    static let flags: [Option] = [.adminToken, .nodes, .front, .frontToken, .unknownPurges]

    /// - Parameter hasAdmin: Whether the server has an admin port.
    mutating func read(_ arguments: Arguments, hasAdmin: Bool) throws(UsageError) {
        adminToken = try arguments.token(in: .adminToken)
        if adminToken != nil, !hasAdmin {
            throw arguments.error(.adminToken, "the token is for the admin port: add --admin ADDRESS:PORT")
        }
        nodes = try arguments.nodes()
        if !nodes.isEmpty, adminToken == nil {
            throw arguments.error(.nodes, "the nodes accept purges with a token alone: add --admin-token FILE")
        }
        front = try arguments.frontCache()
        if front != nil, adminToken == nil {
            throw arguments.error(.front, "the server takes purges with a token alone: add --admin-token FILE")
        }
        if front != nil, !arguments.has(.tags) {
            throw arguments.error(.front, "the cache finds its copies by tags: add --tags, such as surrogate-key")
        }
        if arguments.has(.unknownPurges), nodes.isEmpty, !arguments.has(.far) {
            throw arguments.error(.unknownPurges, "a server alone lacks no purges: add --nodes or --far")
        }
        let words = UnknownPurges.allCases.map { (word: $0.rawValue, value: $0) }
        unknown = try arguments.choice(.unknownPurges, words) ?? unknown
    }
}

extension Arguments {
    /// Returns the cache of `--front`, with its token; `nil` if the option was not given.
    func frontCache() throws(UsageError) -> FrontCache? {
        let token = try token(in: .frontToken)
        let wanted = "cloudflare:ZONE, fastly:SERVICE or varnish:URL"
        guard let kind = try value(.front, wanted: wanted, { FrontCache.kind(ByteString($0)) }) else {
            guard token == nil else { throw error(.frontToken, "the token is for the cache in front: add --front") }
            return nil
        }
        guard token != nil || !FrontCache.needsToken(kind) else {
            throw error(.front, "its API needs a token: add --front-token FILE")
        }
        return FrontCache(kind, token: token)
    }

    /// Returns the token in the file that an option names; `nil` if the option was not given.
    fileprivate func token(in option: Option) throws(UsageError) -> AdminToken? {
        guard let path = path(option) else { return nil }
        guard let file = try? InputFile.read(path, limit: 4096) else {
            throw error(option, "there is no such file, or it cannot be read")
        }
        guard let token = AdminToken(ByteString(bytes: file)) else {
            throw error(
                option,
                "expected a token of \(AdminToken.shortest) visible ASCII characters or more, without spaces")
        }
        return token
    }

    /// Returns the admin ports of `--nodes`.
    fileprivate func nodes() throws(UsageError) -> [NodeAddress] {
        let wanted = "the admin ports of at most 64 nodes, such as 10.0.0.2:8081,10.0.0.3:8081"
        return try value(.nodes, wanted: wanted) { text in
            let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let nodes = words.compactMap { NodeAddress($0) }
            return nodes.count == words.count && nodes.count <= 64 ? nodes : nil
        } ?? []
    }
}

extension NodeAddress {
    fileprivate init?(_ text: String) {
        let text = text.trimmingPrefix { $0 == " " }
        guard text.contains(":"), let address = ListenAddress(String(text)), address.port > 0 else { return nil }
        let isName = address.host.utf8.allSatisfy { $0.isAlphanumeric || "-._".utf8.contains($0) }
        guard isName || address.host.contains(":") && IPAddress(address.host) != nil else { return nil }
        self.init(host: address.host, port: address.port)
    }
}

extension Option {
    static let adminToken = Option(
        "admin-token", nil, "FILE", offers: .files, takesBytes: true,
        help: "The secret for purges on the admin port: requests have the field Authorization: Bearer, and this text.")
    static let nodes = Option(
        "nodes", nil, "HOST:PORT,...",
        help: "Pass purges on to these admin ports, and to each address of a name. The nodes have one --admin-token.")
    static let front = Option(
        "front", nil, "CACHE",
        help: "Purge the cache in front, too: cloudflare:ZONE, fastly:SERVICE or varnish:URL. Its answers need --tags.")
    static let frontToken = Option(
        "front-token", nil, "FILE", offers: .files, takesBytes: true,
        help: "The secret of the calls to --front, as its provider has given it.")
    static let unknownPurges = Option(
        "unknown-purges", nil, "WORD", offers: .words(["send", "make", "refuse"]),
        help: "Until the purges of other nodes are known at the start, and when no node nor --far has answered for 30 "
            + "seconds: make results at the start and send stored ones later (send, the default), make results (make), or "
            + "answer 503 (refuse).")
}
