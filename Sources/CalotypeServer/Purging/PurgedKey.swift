import CalotypeBase
import CalotypeURLs

/// The sources from which a cache entry was made, as its key names them.
struct PurgedKey {
    /// The names of the sources; `nil` if the key cannot be read, so that every purge covers the entry.
    let sources: [SourceName]?

    /// - Parameter key: The key of a result or of a source in an HTTP cache: a partition and a line feed, if there is a
    ///   partition, and then "key " and the canonical text of a result or the name of an object, or the URL of a source.
    init(_ key: ByteString) {
        let own = key.split(separator: 0x0A).last ?? key
        let named = own.hasPrefix("key ") ? own.dropFirst(4) : nil
        if let named, named.isObjectSource {
            sources = named.percentDecoded.flatMap { try? SourceName($0) }.map { [$0] }
        } else if let named {
            sources = try? Self.sources(ofResult: named)
        } else {
            sources = (try? SourceName(own)).map { [$0] }
        }
    }

    /// Reads the source, and the fallback image, which is an option.
    private static func sources(ofResult key: ByteString) throws(RenditionError) -> [SourceName] {
        guard let (source, options) = parts(ofResult: key) else { throw .malformed("the key has no source") }
        var names = [try SourceName(source)]
        for option in options where option.hasPrefix(fallback) {
            guard let url = option.dropFirst(fallback.count).base64Decoded else {
                throw .malformed("the key has no fallback image")
            }
            names.append(try SourceName(url))
        }
        return names
    }

    /// Returns the URL of a result's source, or `nil` for a key of another kind.
    static func source(of key: ByteString) -> ByteString? {
        let own = key.split(separator: 0x0A).last ?? key
        return own.hasPrefix("key ") ? parts(ofResult: own.dropFirst(4))?.source : nil
    }

    /// Finds the source, which follows the first part without a colon. The first part of all is the version of the codecs.
    private static func parts(
        ofResult key: ByteString
    ) -> (source: ByteString, options: ArraySlice<ByteString>)? {
        let parts = key.split(separator: UInt8(ascii: "/"))
        guard let plain = parts.indices.dropFirst().first(where: { !parts[$0].contains(UInt8(ascii: ":")) }) else {
            return nil
        }
        let text = parts[(plain + 1)...].joined(separator: "/").split(separator: UInt8(ascii: "@"), maxSplits: 1)[0]
        return text.percentDecoded.map { ($0, parts[1..<plain]) }
    }

    /// The beginning of the option in canonical texts, where each option has its shortest name.
    private static let fallback: ByteString = "fiu:"
}
