import CalotypeBase
import CalotypeHTTPCache
import CalotypeURLs
import Foundation

/// The name of a page: `2/` with the digest of the source and the digest of the key.
///
/// The key of a page has that of the result, and the settings of the server on which the bytes depend besides. Servers
/// with other settings thus find none of each other's pages.
struct FarName: Hashable, Sendable {
    /// The key of the page, which the page repeats.
    let key: ByteString
    /// The URL of the result's source.
    let source: ByteString
    /// The name of the object, after the prefix of the store.
    let text: ByteString

    init(key: ByteString, source: ByteString) {
        (self.key, self.source) = (key, source)
        text = "\(Self.folder(ofSource: source))/\(Self.digest(of: key))"
    }

    /// Returns the beginning of the names of a source's pages, without the slash at its end. A source has one name in
    /// all spellings of its URL.
    ///
    /// - Parameter version: The version of the pages. The default is the one that this server writes.
    static func folder(ofSource url: ByteString, version: Int = FarPage.version) -> ByteString {
        "\(version)/\(digest(of: (try? SourceName(url))?.text ?? url))"
    }

    private static func digest(of text: ByteString) -> ByteString {
        ByteString(text.withBytes { KeyDigest.hex(of: $0) })
    }
}

/// The names of a server's pages.
struct FarNames: Sendable {
    /// The settings on which the bytes of all results depend.
    private let settings: ByteString
    private let allowed: @Sendable () -> AllowedSources

    /// - Parameter allowed: Returns the permitted sources, with the places of buckets, at the time of a lookup.
    init(_ options: MakingOptions, allowed: @escaping @Sendable () -> AllowedSources) {
        settings = ResultSettings(options).text
        self.allowed = allowed
    }

    /// Returns the name for a key of the cache of results. Returns `nil` for a result of a local source: the roots of two
    /// servers may differ.
    func name(of key: ByteString) -> FarName? {
        guard !key.contains(0x0A), !key.contains(0x0D), let source = PurgedKey.source(of: key), !source.isLocalSource
        else { return nil }
        // Two servers may have buckets of one name in two places.
        let place = (try? allowed().objects.object(of: source))?.bucket.root ?? "-"
        return FarName(key: "\(settings) \(place) \(key)", source: source)
    }
}
