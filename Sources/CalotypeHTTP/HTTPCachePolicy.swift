/// Whether an HTTP cache may answer a request, and whether the network may. Says nothing where there is no cache.
package struct HTTPCachePolicy: Hashable, Sendable {
    private enum Kind { case useProtocol, reload, elseLoad, dontLoad }

    private let kind: Kind

    /// RFC 9111 decides. The default.
    package static let useProtocol = HTTPCachePolicy(kind: .useProtocol)
    /// Always from the network, without a condition of the cache's; what comes is stored as ever.
    package static let reload = HTTPCachePolicy(kind: .reload)
    /// What is stored answers, however old; the rest is loaded.
    package static let storedElseLoad = HTTPCachePolicy(kind: .elseLoad)
    /// What is stored answers, however old. The network is never asked: a miss throws `TransportError.Code.notInCache`.
    package static let storedOnly = HTTPCachePolicy(kind: .dontLoad)

    package var acceptsAnyAge: Bool { kind == .elseLoad || kind == .dontLoad }
    package var looksUp: Bool { kind != .reload }
    package var mayLoad: Bool { kind != .dontLoad }
}
