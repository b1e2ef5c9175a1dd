import CalotypeBase
import CalotypeServer
import CalotypeTransport

extension Arguments {
    /// Returns the admin ports of `--nodes`.
    func nodes() throws(UsageError) -> [NodeAddress] {
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
    static let nodes = Option(
        "nodes", nil, "HOST:PORT,...",
        help: "Pass purges on to these admin ports, and to each address of a name. The nodes have one --admin-token.")
}
