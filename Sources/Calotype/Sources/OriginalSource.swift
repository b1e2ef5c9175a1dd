import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// Where the bytes of one request come from: the web, a local URL, memory, or a caller's closure.
protocol OriginalSource: Sendable {
    /// Whether the bytes are here, so that they are read whatever the cache policy.
    var isLocal: Bool { get }

    /// Returns the original, with its bytes unless they lie in a store or a file.
    func open(_ order: OriginalOrder) async throws(ImageError) -> Original

    /// Removes the original from the HTTP cache.
    func removeStored() async throws(ImageError)
}

/// How an original is to be got: which caches may answer, and which may keep the response.
struct OriginalOrder: Sendable {
    let policy: CachePolicy
    /// Whether the HTTP cache may answer with a stored response.
    let readsDisk: Bool
    /// Whether even a fresh response is revalidated.
    let isConfirming: Bool
    /// If `nil`, there is no store.
    let consent: StorageConsent?
    let onUpdate: @Sendable (LoadUpdate) -> Void

    /// - Throws: `notInCache` if neither a cache nor the source may be asked.
    func checkMayLoad(_ url: URL?) throws(ImageError) {
        guard policy.mayLoad || readsDisk else {
            throw ImageError(.notInCache, "not in the cache, and the network was not to be asked", url: url)
        }
    }

    /// The request as it goes down to the HTTP cache.
    func applied(to request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.allowsLazyBody = true
        request.storageConsent = consent
        request.cachePolicy = policy.inCache(reads: readsDisk)
        if policy.asksOrigin {
            // Beside directives of the request's own, whatever they are.
            request.fields.append("no-cache", to: "Cache-Control")
        } else if isConfirming, consent != nil, request.fields["Cache-Control"] == nil {
            // RFC 9111 §5.2.1.1: nothing that is older than this very moment.
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
}

/// Makes the source of each request of a loader.
struct OriginalSources: Sendable {
    let web: WebAccess
    let download: Download
    let customTransport: @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport
    /// If `nil`, the identity of a `data:` URL is not needed.
    let identifiesData: Bool

    /// - Throws: `unsupportedScheme`; `invalidURL` for a request without a URL.
    func source(of request: ImageRequest, key: ByteString) throws(ImageError) -> any OriginalSource {
        try request.source.check(schemes: web.schemes)
        switch request.source.kind {
        case .http(let http) where http.scheme == .web: return WebSource(http, of: request, over: web, download)
        case .http(let http):
            return URLSource(request: http, web: web, download: download, identifiesData: identifiesData)
        case .bytes(let data, let digest): return DataSource(data: data, digest: digest, room: download.room)
        case .custom(_, let fetch): return CustomSource(key: key, over: customTransport(fetch), web.cache, download)
        case .nowhere: throw ImageError(.invalidURL, "the request has no URL")
        }
    }
}
