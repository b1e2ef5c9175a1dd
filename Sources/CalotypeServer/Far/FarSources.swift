import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// The heads of sources in the near store of sources.
///
/// A page carries the head of its source. A node that has the page and no source can thus ask the origin whether the
/// source has changed, instead of loading it.
struct FarSources: Sendable {
    /// The near store of sources.
    let store: any HTTPCacheStore
    /// Returns the permitted sources, with the places of buckets, at the time of a lookup.
    let allowed: @Sendable () -> AllowedSources

    /// Returns the head of a source without its body, or `nil` if the near store lacks it or has it for some clients alone.
    func head(of source: ByteString) async -> StoredVariant? {
        guard let place = place(of: source), let variants = try? await store.variants(of: place.key) else { return nil }
        return variants.last?.ofWholeSource
    }

    /// Stores the head of a source, unless the near store has the source already.
    func add(_ head: StoredVariant?, of source: ByteString) async {
        // The writer may have another place for a bucket.
        guard let head, let place = place(of: source), head.head.url == place.url,
            let known = try? await store.variants(of: place.key), known.isEmpty
        else { return }
        try? await store.store(head, for: place.key, replacing: [])
    }

    /// Returns the key of a source in the near store, and its URL there.
    private func place(of source: ByteString) -> (key: ByteString, url: ByteString)? {
        func text(_ url: URL) -> ByteString { CacheRules.shared.key(for: HTTPRequest(url)) }
        switch (try? RenditionSource(source, allowed: allowed()))?.place {
        case .web(let url): return (text(url), text(url))
        case .object(let object): return ("\(HTTPCache.namePrefix)\(object.name)", text(object.url))
        case .local, .given, .posted, nil: return nil
        }
    }
}
