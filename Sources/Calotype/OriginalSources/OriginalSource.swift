import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeTransport
import Foundation

/// The source of one request's bytes: the web, a local URL, memory, or a caller's closure.
protocol OriginalSource: Sendable {
    /// Whether the bytes are local, so that they are read under every cache policy.
    var isLocal: Bool { get }
    /// Whether an HTTP cache stores the bytes.
    var isCached: Bool { get }

    /// Returns the original, with its bytes unless they are in a store or a file.
    func open(_ order: OriginalOrder) async throws(ImageError) -> Original

    func removeStored() async throws(ImageError)

    /// Returns the entry that an HTTP cache has for the source. Calls `prepare` if the source is on the web.
    func entry() async throws(ImageError) -> SourceEntry
}

extension OriginalSource {
    func entry() async throws(ImageError) -> SourceEntry { SourceEntry() }
}

/// The part of a source's identity that only the prepared request has.
struct SourceEntry: Sendable {
    /// A digest of the user and the target, or an empty text if no request is prepared.
    var key = ""
    /// Whether the request was prepared for a user whom the loader's keys do not identify.
    var isPersonal = false
}

/// The conditions for opening an original: the cache policy, and whether the response may be stored.
struct OriginalOrder: Sendable {
    let policy: CachePolicy
    /// Whether the HTTP cache may return a stored response.
    let readsDisk: Bool
    /// Whether even a fresh stored response is revalidated.
    let isConfirming: Bool
    let decision: StoreDecision
    let onUpdate: @Sendable (LoadUpdate) -> Void
    /// Whether to look into the cache alone, and fail with `notInCache` if the origin would be asked.
    var isLookup = false

    /// - Throws: `notInCache` if the request may use neither stored responses nor the network.
    func checkMayLoad(_ url: URL?) throws(ImageError) {
        guard policy.mayLoad || readsDisk else {
            throw ImageError(.notInCache, "not in the cache, and the request does not allow the network", url: url)
        }
    }

    /// Returns the request to send to the HTTP cache.
    func applied(to request: consuming HTTPRequest) -> HTTPRequest {
        request.allowsLazyBody = true
        request.storeDecision = decision
        request.tries = RequestTries(limit: 0)
        request.cachePolicy = isLookup ? policy.inLookup : policy.inCache(reads: readsDisk)
        if policy.asksOrigin {
            // Append the directive, because the request may have others.
            request.fields.append("no-cache", to: "Cache-Control")
        } else if isConfirming, request.fields["Cache-Control"] == nil {
            // RFC 9111 §5.2.1.1: the cache revalidates even a fresh response.
            request.fields["Cache-Control"] = "max-age=0"
        }
        return request
    }
}

extension CachePolicy {
    fileprivate func inCache(reads: Bool) -> HTTPCachePolicy {
        if !readsCaches { return .reload }
        if !reads { return .unstored }
        if !mayLoad { return .storedOnly }
        return readsExpired ? .storedElseLoad : .useProtocol
    }

    fileprivate var inLookup: HTTPCachePolicy { readsExpired ? .storedOnly : .freshOnly }
}

struct OriginalSources: Sendable {
    let web: WebAccess
    let download: Download
    let customTransport: @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport

    /// - Throws: `invalidURL` for a request without a URL; `unsupportedScheme` for a scheme that the options do not
    ///   list, if `loads` is `true`.
    func source(of request: ImageRequest, key: ByteString, loads: Bool) throws(ImageError) -> any OriginalSource {
        if loads { try request.source.check(schemes: web.schemes) }
        switch request.source.kind {
        case .http(let http) where http.scheme == .web: return WebSource(http, of: request, over: web, download)
        case .http(let http):
            return URLSource(web.request(http, of: request), web, download, accepting: request.accepted)
        case .bytes(let data, let digest): return DataSource(data: data, digest: digest, budget: download.budget)
        case .custom(_, let fetch):
            return CustomSource(key: key, fetch, over: customTransport, web.cache, download)
        case .nowhere: throw ImageError(.invalidURL, "the request has no URL")
        }
    }
}
