/// Whether an HTTP cache may answer a request, and whether the request may use the network. Ignored without a cache.
package struct HTTPCachePolicy: Hashable, Sendable {
    private enum Kind { case useProtocol, freshOnly, unstored, reload, elseLoad, dontLoad }

    private let kind: Kind

    /// Follows RFC 9111 (the default).
    package static let useProtocol = HTTPCachePolicy(kind: .useProtocol)
    /// Accepts a stored response that needs no validation first, and never uses the network: any other request throws
    /// `TransportError.Code.notInCache`.
    package static let freshOnly = HTTPCachePolicy(kind: .freshOnly)
    /// Ignores stored responses, but joins an equal request in flight. Stores the response as usual.
    package static let unstored = HTTPCachePolicy(kind: .unstored)
    /// Always sends the request, without conditions added by the cache. Stores the response as usual.
    package static let reload = HTTPCachePolicy(kind: .reload)
    /// Accepts a stored response of any age; otherwise sends the request.
    package static let storedElseLoad = HTTPCachePolicy(kind: .elseLoad)
    /// Accepts a stored response of any age and never uses the network: a miss throws `TransportError.Code.notInCache`.
    package static let storedOnly = HTTPCachePolicy(kind: .dontLoad)

    package var acceptsAnyAge: Bool { kind == .elseLoad || kind == .dontLoad }
    package var looksUp: Bool { kind != .reload && kind != .unstored }
    /// Whether the request may share an exchange with other requests.
    package var shares: Bool { kind != .reload }
    package var mayLoad: Bool { kind != .dontLoad && kind != .freshOnly }
}
