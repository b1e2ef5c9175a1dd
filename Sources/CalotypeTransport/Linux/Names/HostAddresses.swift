import CalotypeBase
package import CalotypeHTTP

/// The addresses of a host, for callers that send something to each of them.
package enum HostAddresses {
    // Remembers nothing: a machine may have got the name since the last question.
    private static let resolver = NameResolver(threads: 4, queueLimit: 1024, lifetime: 0)

    /// Returns all addresses of a name, at most 32, or the address itself for a numeric host and for localhost.
    ///
    /// - Throws: `cannotFindHost`, `overloaded` if 1,024 names wait, or `cancelled`.
    package static func find(_ host: String) async throws(TransportError) -> [String] {
        try await find(host, asking: resolver)
    }

    static func find(_ host: String, asking resolver: NameResolver) async throws(TransportError) -> [String] {
        if let address = NameLookup.address(host) { return [address] }
        let answer = WaitingRoom<NameAnswer?, Void>(nil) { answer, _ in answer != nil }
        let name = ByteString(host)
        let question = NameQuestion(name, for: name) { found in answer.update { $0 = found } }
        if let known = resolver.ask(question) { answer.update { $0 = known } }
        defer { resolver.withdraw(question) }
        do throws(Interruption) { try await answer.enter(()) } catch { throw .cancelled }
        switch answer.read({ $0 }) {
        case .addresses(let addresses): return addresses
        case .overloaded: throw .overloaded
        case .failed(let reason): throw TransportError(.cannotFindHost, "the host \(host) cannot be found: \(reason)")
        case .notFound, nil: throw TransportError(.cannotFindHost, "the host \(host) cannot be found")
        }
    }
}
