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
    private let held: HeldOriginals
    /// Returns the memory of the cache in bytes; zero if the store keeps originals on disk.
    let memoryBytes: @Sendable () -> Int
    /// The store of the cache.
    let responses: any HTTPCacheStore
    /// Removes all originals that are in memory alone.
    let forgetMemory: @Sendable () -> Void

    /// - Parameters:
    ///   - disk: The store of originals. If `nil`, they are cached in memory.
    ///   - work: The threads and the memory for decoding. If `nil` (the default), those of these sources alone.
    ///   - held: The memory for originals that cannot be stored.
    ///   - clients: The maximum number of connections with clients.
    init(
        _ options: SourceOptions, disk: DiskStore?, sharing work: SharedWork? = nil,
        _ held: HeldOriginals = HeldOriginals(limit: 0), clients: Int, basis: ServerBasis
    ) {
        (self.held, wallClock) = (held, basis.wallClock)
        let current: @Sendable () -> ServingRules = { [known = basis.known] in known.rules }
        var loader = basis.loading
        loader.sharedWork = work
        loader.clock = basis.clock
        // A silent origin delays its own sources alone.
        loader.deadline = options.deadline
        // The exchanges end a little earlier, so that the cache of sources can still answer with a stale one.
        loader.downloadTime = options.deadline * 19 / 20
        loader.silence = .seconds(1)
        loader.silentDownloads = options.silentLimit
        // Each download belongs to a client or to a revalidation: the queue has room for all of them.
        loader.queueLimit = clients + 256
        loader.addresses = .following(AddressRulesSource { current().addresses })
        loader.schemes = ["http", "https"]
        loader.redirect = { next, _ in current().allowed.contains(next.url) ? next : nil }
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
            let store = DiskHTTPCacheStore(disk, memory: 0) { [report = basis.report] problem in
                report("the sources: a stored response was removed: \(problem)")
            }
            responses = store
            loader.disk = .store(disk, responses: store)
            (memoryBytes, forgetMemory) = ({ 0 }, {})
        } else {
            let store = MemoryHTTPCacheStore(byteLimit: basis.shares.sources)
            responses = store
            loader.disk = .responses(in: store)
            (memoryBytes, forgetMemory) = ({ store.byteCount }, { store.forgetMemory() })
        }
        loader.transportLayers = options.networkLayers(current, basis)
        self.loader = ImageLoader(loader)
        self.rules = rules
    }

    /// Loads an original. Reads its body, to compute the digest, only if the cache has no identity for the bytes.
    ///
    /// - Parameters:
    ///   - name: The name in the cache. If `nil` (the default), that of the URL.
    ///   - asker: The client for whose share a request to the origin counts.
    func find(
        _ url: URL, name: ByteString? = nil, for asker: RenditionAsker = RenditionAsker()
    ) async throws(ServerError) -> FoundSource {
        var request = HTTPRequest(url)
        if !asker.network.isEmpty { request.client = asker.network.string }
        request.fields["traceparent"] = asker.trace
        do throws(ImageError) {
            return try await found(
                ImageRequest(source: .request(request), cacheKey: name?.string), host: url.host() ?? "")
        } catch { throw ServerError(error) }
    }

    private func found(_ request: ImageRequest, host: String) async throws(ImageError) -> FoundSource {
        let original = try await loader.original(for: request)
        WorkReport.current?.noteSource(original.freshness)
        let digest: String
        let origin: FoundSource.Origin
        var byteCount = original.fields["Content-Length"]?.asDigits
        if let identity = original.identity {
            (digest, origin) = (identity.string, .original(original))
        } else {
            let data = try await loader.data(of: original)
            digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
            byteCount = data.count
            // No cache has these bytes: they stay in memory until they are decoded.
            origin = .source(try held.source(of: data, digest))
        }
        return FoundSource(
            digest: digest, lifetime: lifetime(of: original), loader: loader, origin: origin, held: held,
            byteCount: byteCount, cacheStatus: original.ownCacheStatus, host: host)
    }

    /// The number of download slots in use.
    var downloads: Int { loader.statistics.downloads }

    /// Whether no image of some origin can be loaded any more: downloads that ended long ago have all of its slots.
    var isStuck: Bool { loader.isStuck(after: .seconds(60)) }

    /// Returns the state of the stored response to a URL, without contacting the origin.
    ///
    /// - Parameter name: The name in the cache. If `nil` (the default), that of the URL.
    func stored(_ url: URL, name: ByteString? = nil) async -> StoredState {
        let request = ImageRequest(url, policy: .returnCacheDontLoad, cacheKey: name?.string)
        let original = try? await loader.original(for: request)
        return StoredState(original?.freshness, now: wallClock.now)
    }

    /// Returns the remaining lifetime of the source, which is also the lifetime of its renditions.
    private func lifetime(of original: ImageOriginal) -> RenditionLifetime {
        let derived = rules.derivedCaching(from: original.fields, now: wallClock.now)
        if derived.isUnshared { return .unshared }
        guard let freshness = original.freshness else { return .seconds(0) }
        // The cache returned a stale response, because the origin failed: try again soon.
        if freshness.source == .stale { return .seconds(10) }
        let rest = (freshness.freshUntil ?? 0) - wallClock.now, shared = max(0, Int(saturating: rest))
        let stated = derived.privateLifetime.map { Int(saturating: $0) } ?? shared
        let personal = original.isRedirected ? min(stated, shared) : stated
        return .stated(
            RenditionLifetime.Stated(
                seconds: personal, sharedSeconds: derived.hasSharedLifetime || shared != personal ? shared : nil,
                hasRest: rest > 0, isImmutable: derived.isImmutable && !original.isRedirected,
                directives: derived.directives,
                mayBeStale: derived.mayBeStale))
    }
}

extension ImageOriginal {
    /// The member of Cache-Status that the cache of sources has added. Earlier members are the origin's.
    fileprivate var ownCacheStatus: ByteString? {
        let last = fields.values(of: "Cache-Status").last?.split(separator: UInt8(ascii: ",")).last?.trimmed
        return last.flatMap { $0.hasPrefix(ByteString(WebSources.cacheName)) ? $0 : nil }
    }
}

extension SourceOptions {
    /// The layers between the transport to origins and the cache of sources.
    fileprivate func networkLayers(
        _ current: @escaping @Sendable () -> ServingRules, _ basis: ServerBasis
    ) -> @Sendable (any Transport) -> any Transport {
        let reports = RepeatedReports(basis.report, wallClock: basis.wallClock)
        return { [obeysFreshness, defaultLifetime, userAgent, metrics = basis.metrics] transport in
            let signed = transport.signingSources(by: { current().signers }, onRefusal: { reports.add("s3: \($0)") })
            let counted = signed.endingAtDeadline().counted(in: metrics)
            let exchange = counted.settingFields(by: { current().sourceFields }).introduced(as: userAgent)
            if obeysFreshness { return exchange }
            return exchange.overridingFreshness(Int(defaultLifetime))
        }
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
        /// Whether the source is fresh for part of a second, so that its renditions may be stale afterwards.
        var hasRest = false
        /// Whether the source does not change while it is fresh (RFC 8246).
        var isImmutable = false
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
        if seconds == 0, sharedSeconds ?? 0 == 0, !hasRest {
            parts.append("no-cache")
        } else {
            parts.append("max-age=\(seconds)")
            if let sharedSeconds { parts.append("s-maxage=\(sharedSeconds)") }
            if isImmutable { parts.append("immutable") }
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
        /// A source on the web whose bytes a cache has.
        case original(ImageOriginal)
        case source(ImageSource)
    }

    /// A text that identifies the bytes.
    let digest: String
    let lifetime: RenditionLifetime
    let loader: ImageLoader
    let origin: Origin
    /// The memory for bytes that ``keepingBytes()`` reads.
    let held: HeldOriginals
    /// The size of the source, in bytes; `nil` if the origin has stated none.
    var byteCount: Int?
    /// The value of Cache-Status from the cache of sources, or `nil` for a local source.
    var cacheStatus: ByteString?
    /// The host from which the source came, or an empty text for a local file.
    var host = ""
    /// Whether the bytes are in memory, and counted, for as long as the source is used.
    var isInMemory = false

    /// Decodes the image, perhaps together with a rendition in another format. If the decode ends at the deadline of that
    /// one, tries once more.
    ///
    /// - Parameters:
    ///   - encoding: The memory of encoding the image.
    ///   - terms: The rendition's terms for worker processes.
    ///   - onStart: Called when the decode starts, on its thread.
    func image(
        _ layout: any ImageLayout, encoding: EncodingMemory, under terms: DecodeTerms,
        onStart: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> ImageResponse {
        let hasStarted = Locked(false)
        let start: @Sendable () -> Void = {
            hasStarted.withLock { $0 = true }
            onStart()
        }
        do throws(ImageError) {
            return try await sharedImage(layout, encoding: encoding, under: terms, onStart: start)
        } catch {
            guard error.code == .timedOut, error.underlying is CodecError, case .original = origin,
                !hasStarted.withLock({ $0 })
            else { throw error }
            return try await sharedImage(layout, encoding: encoding, under: terms, onStart: start)
        }
    }

    /// Keeps no bytes for an image that is made from another source of the same bytes.
    func release() {
        if case .original(let original) = origin { original.release() }
    }

    private func sharedImage(
        _ layout: any ImageLayout, encoding: EncodingMemory, under terms: DecodeTerms,
        onStart: @escaping @Sendable () -> Void
    ) async throws(ImageError) -> ImageResponse {
        let original: ImageOriginal
        switch origin {
        case .original(let known): original = known
        case .source(let source): original = try await loader.original(for: Self.request(source))
        }
        return try await loader.image(
            of: original, layout: layout, encoding: encoding, terms: terms, onStart: onStart)
    }

    /// Returns the bytes that were found, once: ``keepingBytes()`` returns a source for the image, too.
    ///
    /// - Throws: `superseded` if the source has been removed or replaced since it was found.
    func data() async throws(ImageError) -> Data {
        switch origin {
        case .original(let original): return try await loader.data(of: original)
        case .source(let source): return try await loader.data(for: Self.request(source))
        }
    }

    /// Returns the bytes, and a source that keeps them in memory: its image is decoded from them without another load.
    ///
    /// - Throws: As ``data()``, and `overloaded` if there is no memory to keep them.
    func keepingBytes() async throws(ImageError) -> (data: Data, source: FoundSource) {
        let data = try await data()
        if isInMemory { return (data, self) }
        let kept = FoundSource(
            digest: digest, lifetime: lifetime, loader: loader, origin: .source(try held.source(of: data, digest)),
            held: held, byteCount: data.count, cacheStatus: cacheStatus, host: host)
        return (data, kept)
    }

    /// Returns a source of bytes that have been read, for a caller whose turn bounds them: nothing else counts them.
    func having(_ data: Data) -> FoundSource {
        FoundSource(
            digest: digest, lifetime: lifetime, loader: loader, origin: .source(.custom(id: digest) { data }),
            held: held,
            byteCount: data.count, cacheStatus: cacheStatus, host: host)
    }

    /// Returns a request that bypasses the loader's store, which would keep a second copy of a local file.
    private static func request(_ source: ImageSource) -> ImageRequest {
        ImageRequest(source: source, caching: [.readMemory, .writeMemory])
    }
}

extension HeldOriginals {
    /// Keeps bytes until the loader reads the returned source, once: later it fails as changed.
    ///
    /// - Throws: `overloaded` if they do not fit.
    fileprivate func source(of data: Data, _ digest: String) throws(ImageError) -> ImageSource {
        guard let kept = keep(data) else { throw .overloaded }
        return .custom(id: digest) {
            guard let data = kept.take() else { throw ServerError.changed }
            return data
        }
    }
}
