/// The permission of an HTTP cache to answer a request, and to ask the network. Has no effect without a cache.
package struct HTTPCachePolicy: Hashable, Sendable {
    private enum Kind { case useProtocol, unstored, reload, elseLoad, dontLoad }

    private let kind: Kind

    /// RFC 9111 decides. The default.
    package static let useProtocol = HTTPCachePolicy(kind: .useProtocol)
    /// Nothing that is stored answers; what is on its way for another request may. What comes is stored as ever.
    package static let unstored = HTTPCachePolicy(kind: .unstored)
    /// Always from the network, without a condition of the cache's; what comes is stored as ever.
    package static let reload = HTTPCachePolicy(kind: .reload)
    /// Answers with what is stored, however old; loads the rest.
    package static let storedElseLoad = HTTPCachePolicy(kind: .elseLoad)
    /// Answers with what is stored, however old, and never asks the network: a miss throws
    /// `TransportError.Code.notInCache`.
    package static let storedOnly = HTTPCachePolicy(kind: .dontLoad)

    package var acceptsAnyAge: Bool { kind == .elseLoad || kind == .dontLoad }
    package var looksUp: Bool { kind != .reload && kind != .unstored }
    /// A Boolean value indicating whether an exchange may be shared with other requests.
    package var shares: Bool { kind != .reload }
    package var mayLoad: Bool { kind != .dontLoad }
}
