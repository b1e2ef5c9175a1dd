import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTransport
import Foundation

/// The sources on the web: a loader with an HTTP cache that is separate from the cache of results.
struct WebSources: Sendable {
    /// The name of the cache of sources in Cache-Status.
    static let cacheName = "Calotype-Sources"

    private let loader: ImageLoader
    private let rules: CacheRules
    private let wallClock: WallClock

    /// - Parameter disk: The store of originals. If `nil`, they are cached in memory.
    init(_ options: RenditionServer.Options, disk: DiskStore?) {
        let allowed = options.allowed
        var loader = options.loader
        loader.schemes = ["http", "https"]
        loader.redirect = { next, _ in allowed.contains(next.url) ? next : nil }
        loader.redirectLimit = options.redirectLimit
        loader.cacheName = Self.cacheName
        var rules = CacheRules(.shared)
        rules.negativeLifetime = .zero
        // Results may already be served stale while they are revalidated. If sources were, too, the two periods would
        // add up.
        rules.servesWhileRevalidating = false
        rules.defaultLifetime = .seconds(options.defaultLifetime)
        loader.cacheRules = rules
        if let disk {
            loader.disk = .store(disk)
            loader.transportLayers = options.networkLayers
        } else {
            var cacheOptions = HTTPCacheOptions()
            cacheOptions.name = Self.cacheName
            cacheOptions.bodyDigest = { BodyDigest.text(of: $0) }
            let cache = HTTPCache(
                rules: rules, store: MemoryHTTPCacheStore(byteLimit: options.memory), options: cacheOptions,
                wallClock: options.wallClock)
            loader.transportLayers = { [layers = options.networkLayers] exchange in
                SharedExchange(base: layers(exchange).cached(in: cache))
            }
        }
        self.loader = ImageLoader(loader)
        self.rules = rules
        wallClock = options.wallClock
    }

    /// Loads an original. Reads its body, to compute the digest, only if the cache has no identity for the bytes.
    func find(_ url: URL) async throws(ImageError) -> FoundSource {
        let original = try await loader.original(for: ImageRequest(url))
        let digest: String
        let origin: FoundSource.Origin
        if let identity = original.identity {
            (digest, origin) = (identity.string, .original(original, url))
        } else {
            let data = try await loader.data(of: original)
            digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
            origin = .source(.custom(id: digest) { data })
        }
        return FoundSource(
            digest: digest, lifetime: lifetime(of: original), loader: loader, origin: origin,
            cacheStatus: original.ownCacheStatus)
    }

    /// Returns the state of the stored response to a URL, without contacting the origin.
    func stored(_ url: URL) async -> StoredState {
        let original = try? await loader.original(for: ImageRequest(url, policy: .returnCacheDontLoad))
        return StoredState(original?.freshness, now: wallClock.now)
    }

    /// Returns the remaining lifetime of the source, which is also the lifetime of its renditions.
    private func lifetime(of original: ImageOriginal) -> RenditionLifetime {
        let derived = rules.derivedCaching(from: original.fields, now: wallClock.now)
        if derived.isUnshared { return .unshared }
        guard let freshness = original.freshness else { return .seconds(0) }
        // The cache returned a stale response, because the origin failed: try again soon.
        if freshness.source == .stale { return .seconds(10) }
        let shared = max(0, Int((freshness.freshUntil ?? 0) - wallClock.now))
        let personal = derived.privateLifetime.map { Int($0) } ?? shared
        return .stated(
            RenditionLifetime.Stated(
                seconds: personal, sharedSeconds: derived.hasSharedLifetime || shared != personal ? shared : nil,
                directives: derived.directives, mayBeStale: derived.mayBeStale))
    }
}

extension ImageOriginal {
    /// The member of Cache-Status that the cache of sources has added. Earlier members are the origin's.
    fileprivate var ownCacheStatus: ByteString? {
        let last = fields.values(of: "Cache-Status").last?.split(separator: UInt8(ascii: ",")).last?.trimmed
        return last.flatMap { $0.hasPrefix(ByteString(WebSources.cacheName)) ? $0 : nil }
    }
}

extension RenditionServer.Options {
    /// The layers between the transport to origins and the cache of sources.
    fileprivate var networkLayers: @Sendable (any Transport) -> any Transport {
        { [sourceFields, obeysFreshness, defaultLifetime] transport in
            let exchange = transport.settingFields(sourceFields).markingLoops()
            if obeysFreshness { return exchange }
            return exchange.overridingFreshness(Int(defaultLifetime))
        }
    }
}

/// A transport over a cache. A loader without its own cache marks its requests to bypass all caches; this transport
/// removes the mark.
private struct SharedExchange: Transport {
    let base: any Transport

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        request.cachePolicy = .useProtocol
        request.storeDecision = nil
        return try await base.send(request)
    }
}

/// The time for which caches may keep a rendition.
enum RenditionLifetime: Hashable, Sendable {
    case stated(Stated)
    /// The source belongs to one user, or must not be stored.
    case unshared

    struct Stated: Hashable, Sendable {
        /// The lifetime in private caches and, without ``sharedSeconds``, in shared ones.
        var seconds: Int
        /// The lifetime in shared caches, if the source states a separate one.
        var sharedSeconds: Int?
        /// The directives of the source that its renditions repeat.
        var directives: [ByteString] = []
        /// Whether caches may serve the rendition stale for some time (RFC 5861).
        var mayBeStale = true
    }

    static func seconds(_ seconds: Int) -> RenditionLifetime { .stated(Stated(seconds: seconds)) }

    var cacheControl: ByteString {
        switch self {
        case .unshared: "no-store"
        case .stated(let stated): stated.cacheControl
        }
    }
}

extension RenditionLifetime.Stated {
    fileprivate var cacheControl: ByteString {
        var parts: [ByteString] = ["public"]
        if seconds == 0, sharedSeconds ?? 0 == 0 {
            parts.append("no-cache")
        } else {
            parts.append("max-age=\(seconds)")
            if let sharedSeconds { parts.append("s-maxage=\(sharedSeconds)") }
        }
        parts += directives
        if mayBeStale, parts.last != "no-cache" {
            parts += ["stale-while-revalidate=3600", "stale-if-error=86400"]
        }
        return parts.joined(separator: ", ")
    }
}

/// A source identified by the digest of its bytes, which may not have been read yet.
struct FoundSource: Sendable {
    enum Origin: Sendable {
        /// A source on the web: the original, from which the image is decoded, and its URL, from which `data()` loads
        /// the bytes.
        case original(ImageOriginal, URL)
        case source(ImageSource)
    }

    /// A text that identifies the bytes.
    let digest: String
    let lifetime: RenditionLifetime
    let loader: ImageLoader
    let origin: Origin
    /// The value of Cache-Status from the cache of sources, or `nil` for a local source.
    var cacheStatus: ByteString?

    /// - Parameter encoding: The memory of encoding the image.
    func image(_ layout: RenditionLayout, encoding: @escaping EncodingMemory) async throws(ImageError) -> ImageResponse
    {
        let original: ImageOriginal
        switch origin {
        case .original(let known, _): original = known
        case .source: original = try await loader.original(for: request)
        }
        return try await loader.image(of: original, layout: layout, encoding: encoding)
    }

    func data() async throws(ImageError) -> Data { try await loader.data(for: request) }

    private var request: ImageRequest {
        switch origin {
        case .original(_, let url): ImageRequest(url)
        // Bypasses the loader's store, which would keep a second copy of a local file.
        case .source(let source): ImageRequest(source: source, caching: [.readMemory, .writeMemory])
        }
    }
}
