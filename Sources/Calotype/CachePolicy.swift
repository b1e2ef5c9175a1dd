#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Which caches a request may use, and when it goes to the network.
public struct CachePolicy: Hashable, Sendable {
    enum Kind { case useProtocol, reload, elseLoad, dontLoad }

    let kind: Kind

    /// What is fresh is used, what is not is loaded. The default.
    public static let useProtocol = CachePolicy(kind: .useProtocol)
    /// Always from the network; what comes is stored as ever.
    public static let reloadIgnoringCache = CachePolicy(kind: .reload)
    /// What is stored is used, however old; the rest is loaded.
    public static let returnCacheElseLoad = CachePolicy(kind: .elseLoad)
    /// What is stored is used, however old; the network is never asked. A miss fails with `notInCache`.
    public static let returnCacheDontLoad = CachePolicy(kind: .dontLoad)

    /// The policy that a `URLRequest` names.
    public init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
            self = .reloadIgnoringCache
        case .returnCacheDataElseLoad: self = .returnCacheElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDontLoad
        default: self = .useProtocol
        }
    }

    private init(kind: Kind) {
        self.kind = kind
    }

    var readsCaches: Bool { kind != .reload }
    var readsExpired: Bool { kind == .elseLoad || kind == .dontLoad }
    var mayLoad: Bool { kind != .dontLoad }

    /// For keys: short and different for each.
    var tag: String {
        switch kind {
        case .useProtocol: "p"
        case .reload: "r"
        case .elseLoad: "e"
        case .dontLoad: "d"
        }
    }
}
