#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The caches that a request may use, and when it may use the network.
public struct CachePolicy: Hashable, Sendable {
    enum Kind { case useProtocol, revalidate, reload, elseLoad, dontLoad }

    let kind: Kind

    /// Uses stored responses that are fresh, and loads all other images. The default.
    public static let useProtocol = CachePolicy(kind: .useProtocol)
    /// Always asks the origin server, as `Cache-Control: no-cache` does: for a reload or a retry by the user.
    ///
    /// The loader uses a stored response if the origin confirms it (304), and resumes an interrupted download.
    public static let revalidate = CachePolicy(kind: .revalidate)
    /// Always loads from the network, and stores the response as usual.
    public static let reloadIgnoringCache = CachePolicy(kind: .reload)
    /// Uses stored responses of any age, and loads images that are not stored. A stale stored failure is loaded again.
    public static let returnCacheElseLoad = CachePolicy(kind: .elseLoad)
    /// Uses stored responses of any age, and never the network. A miss fails with `notInCache`.
    public static let returnCacheDontLoad = CachePolicy(kind: .dontLoad)

    /// Creates the policy that a `URLRequest` specifies.
    public init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringCache
        case .reloadRevalidatingCacheData: self = .revalidate
        case .returnCacheDataElseLoad: self = .returnCacheElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDontLoad
        default: self = .useProtocol
        }
    }

    /// Creates the policy that a `URLRequest` specifies, or returns `nil` if that is `useProtocol`.
    init?(naming policy: URLRequest.CachePolicy) {
        self.init(policy)
        if kind == .useProtocol { return nil }
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    var readsCaches: Bool { kind != .reload }
    var readsExpired: Bool { kind == .elseLoad || kind == .dontLoad }
    var mayLoad: Bool { kind != .dontLoad }
    /// Whether the origin has to confirm every stored response.
    var asksOrigin: Bool { kind == .revalidate }

    /// Whether a view loads again when it is set to the same request again.
    package var loadsAgain: Bool { kind == .reload || kind == .revalidate }
    /// The policy for the user's retry, which must not return a stored failure.
    package var forRetry: CachePolicy { kind == .useProtocol || kind == .elseLoad ? .revalidate : self }
}

extension CachePolicy: CustomStringConvertible {
    /// The name of the policy, such as "returnCacheElseLoad".
    public var description: String {
        switch kind {
        case .useProtocol: "useProtocol"
        case .revalidate: "revalidate"
        case .reload: "reloadIgnoringCache"
        case .elseLoad: "returnCacheElseLoad"
        case .dontLoad: "returnCacheDontLoad"
        }
    }
}
