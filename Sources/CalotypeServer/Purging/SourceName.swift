import CalotypeBase
import CalotypeURLs
import Foundation

/// The name of a source in its one spelling, so that a purge covers each spelling of a URL's path.
///
/// Servers take `%63at.jpg` for `cat.jpg`, and a client may spell a URL as it likes. Of a query only the same bytes are
/// equal.
struct SourceName: Hashable, Sendable {
    /// The scheme, host and port; the scheme and the bucket of an object; or "local:" for files below the server's root.
    let root: ByteString
    /// The roots of all patterns for the host; empty for a local source.
    private let patterns: [ByteString]
    /// The segments of the path, percent-decoded.
    let segments: [ByteString]
    private let query: ByteString?

    /// - Parameter takesPattern: Whether the host may be "*" or begin with "*.", as in `--allow-source`.
    /// - Throws: 400 unless the text is the URL of a source.
    init(_ text: ByteString, takesPattern: Bool = false) throws(RenditionError) {
        let text = text.normalizedSource
        if text.isObjectSource {
            let (bucket, key) = try ObjectSources.parts(of: text)
            self = SourceName(bucket: bucket, key: key)
            return
        }
        guard let path = text.localPath else {
            self = SourceName(try SourceURL(text, takesPattern: takesPattern))
            return
        }
        try self.init(localPath: path)
    }

    /// - Parameter path: What follows "local:".
    init(localPath path: ByteString) throws(RenditionError) {
        let components = path.dropFirst(3).split(separator: UInt8(ascii: "/"))
        guard path.hasPrefix("///"), !components.contains(".."), !path.contains(0) else {
            throw .malformed("a local source is local:///path, without \"..\" or NUL")
        }
        // Of a local source, "%" and "?" belong to the names of files.
        self.init(root: "local:", patterns: [], segments: components.map(\.escapedInName), query: nil)
    }

    /// The name of all images that clients send: no purge concerns them.
    static let posted = SourceName(root: "post:", patterns: [], segments: [], query: nil)

    init(_ object: S3Object) { self.init(bucket: object.bucket.name, key: object.key) }

    private init(bucket: ByteString, key: ByteString) {
        self.init(
            root: "\(S3Object.scheme)\(bucket)", patterns: [],
            segments: key.split(separator: UInt8(ascii: "/")).map(\.escapedInName), query: nil)
    }

    private init(root: ByteString, patterns: [ByteString], segments: [ByteString], query: ByteString?) {
        (self.root, self.patterns, self.segments, self.query) = (root, patterns, segments, query)
    }

    init(_ url: SourceURL) {
        // The dot at the end of an absolute name leads to the same host.
        let host = url.host.hasSuffix(".") ? ByteString(bytes: url.host.bytes.dropLast()) : url.host
        root = Self.root(url.scheme, host, url.port)
        patterns = host.patterns.map { Self.root(url.scheme, $0, url.port) }
        query = url.query
        let parts = url.path.split(separator: UInt8(ascii: "/")).dropFirst()
        segments = parts.map { ($0.percentDecoded ?? $0).escapedInName }
    }

    private static func root(_ scheme: ByteString, _ host: ByteString, _ port: Int) -> ByteString {
        "\(scheme)://\(host):\(port)"
    }

    /// The name as one text.
    var text: ByteString {
        let path: ByteString = "\(root)/\(segments.joined(separator: "/"))"
        return query.map { "\(path)?\($0)" } ?? path
    }

    /// The name of all sources whose paths begin with these segments. It has no query.
    var prefixText: ByteString {
        let named = segments.last == "" ? segments.dropLast() : segments[...]
        return named.reduce(root) { "\($0)/\($1)" }
    }

    /// The names of all prefixes that cover the source: by the host or a pattern for it, and by whole segments.
    var coveringPrefixes: [ByteString] {
        ([root] + patterns).flatMap { root in
            segments.reduce(into: [root]) { prefixes, segment in
                prefixes.append("\(prefixes[prefixes.count - 1])/\(segment)")
            }
        }
    }
}

extension ByteString {
    /// The patterns that cover this host: "*.example.com", "*.com" and "*" for "www.example.com".
    fileprivate var patterns: [ByteString] {
        let labels = split(separator: UInt8(ascii: "."))
        let ends: [ByteString] = labels.indices.dropFirst().map { labels[$0...].joined(separator: ".") }
        return ends.map { "*.\($0)" } + ["*"]
    }

    /// A segment as a part of a name: with the bytes escaped that separate parts.
    fileprivate var escapedInName: ByteString { percentEncoded { !"/?%".utf8.contains($0) } }
}

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

    /// Finds the source, which follows the part "plain", in front of which all parts but "info" have a colon. The first part of all is the version of the codecs.
    private static func parts(
        ofResult key: ByteString
    ) -> (source: ByteString, options: ArraySlice<ByteString>)? {
        let parts = key.split(separator: UInt8(ascii: "/"))
        guard let plain = parts.indices.dropFirst().first(where: { parts[$0] == "plain" }) else {
            return nil
        }
        let text = parts[(plain + 1)...].joined(separator: "/").split(separator: UInt8(ascii: "@"), maxSplits: 1)[0]
        return text.percentDecoded.map { ($0, parts[1..<plain]) }
    }

    /// The beginning of the option in canonical texts, where each option has its shortest name.
    private static let fallback: ByteString = "fiu:"
}
