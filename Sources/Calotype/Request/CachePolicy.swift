#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Which caches a request may use, and when it goes to the network.
public struct CachePolicy: Hashable, Sendable {
    enum Kind { case useProtocol, revalidate, reload, elseLoad, dontLoad }

    let kind: Kind

    /// Uses what is fresh and loads the rest. The default.
    public static let useProtocol = CachePolicy(kind: .useProtocol)
    /// Always asks the origin server, as `Cache-Control: no-cache` does: for a reload or a retry by the user.
    ///
    /// What is stored is used where the origin confirms it (304), and an interrupted download goes on.
    public static let revalidate = CachePolicy(kind: .revalidate)
    /// Always from the network; what comes is stored as ever.
    public static let reloadIgnoringCache = CachePolicy(kind: .reload)
    /// Uses what is stored, however old. The rest is loaded, and so is a stored failure that is no longer fresh.
    public static let returnCacheElseLoad = CachePolicy(kind: .elseLoad)
    /// Uses what is stored, however old, and never asks the network. A miss fails with `notInCache`.
    public static let returnCacheDontLoad = CachePolicy(kind: .dontLoad)

    /// The policy that a `URLRequest` names.
    public init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringCache
        case .reloadRevalidatingCacheData: self = .revalidate
        case .returnCacheDataElseLoad: self = .returnCacheElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDontLoad
        default: self = .useProtocol
        }
    }

    /// The policy that a `URLRequest` names, or `nil` if it leaves it to the protocol.
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
    /// A Boolean value indicating whether nothing answers before the origin has confirmed it.
    var asksOrigin: Bool { kind == .revalidate }

    /// A Boolean value indicating whether a view that is told to show such a request again loads again.
    package var loadsAgain: Bool { kind == .reload || kind == .revalidate }
    /// The policy for a retry by a person: a failure that is stored does not answer.
    package var forRetry: CachePolicy { kind == .useProtocol || kind == .elseLoad ? .revalidate : self }
}
