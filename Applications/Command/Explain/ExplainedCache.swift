import Calotype
import CalotypeHTTPCache

/// A cache whose decisions `calotype explain` prints.
struct ExplainedCache: Sendable {
    /// The name in JSON.
    let name: String
    let title: String
    let rules: CacheRules

    static let browser = ExplainedCache(name: "browser", title: "A browser", rules: standard(.private))
    static let network = ExplainedCache(name: "cdn", title: "A CDN", rules: standard(.shared))
    static let loader = ExplainedCache(name: "calotype", title: "Calotype in apps and commands", rules: .forImages)
    static let proxy = ExplainedCache(name: "proxy", title: "calotype proxy", rules: ProxyUpstream.rules(.shared))

    static let all = [browser, network, loader]
    static let roles: [(word: String, value: [ExplainedCache])] = [
        ("private", [browser, loader]), ("shared", [network, proxy]),
    ]

    /// Returns the rules without the choices that the standard leaves to a cache.
    private static func standard(_ rules: CacheRules) -> CacheRules {
        var rules = rules
        rules.negativeLifetime = .zero
        rules.staleIfUnreachable = nil
        return rules
    }
}
