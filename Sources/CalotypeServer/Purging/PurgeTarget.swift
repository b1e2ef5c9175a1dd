package import CalotypeBase
package import CalotypeURLs

/// The sources that a purge covers: one, those whose URLs begin with a prefix, or all.
package struct PurgeTarget: Hashable, Sendable {
    enum Kind: String, Sendable {
        case source, prefix, all
    }

    let kind: Kind
    /// The URL as it was given; empty for all sources.
    let url: ByteString
    /// The name in the list's table of this kind: see ``SourceName``.
    let name: ByteString

    /// All sources.
    package static let all = PurgeTarget(kind: .all, url: "", name: "")

    private init(kind: Kind, url: ByteString, name: ByteString) {
        (self.kind, self.url, self.name) = (kind, url, name)
    }

    /// The longest URL of a target, in bytes.
    static let lengthLimit = 8192

    /// One source, with the query that it has or has not. Its results are covered, too.
    ///
    /// - Throws: 400 unless the text is the URL of a source, as in the server's URLs.
    package static func source(_ url: ByteString) throws(RenditionError) -> PurgeTarget {
        try check(url)
        let name = try SourceName(url)
        guard !url.isObjectSource || name.segments != [""] else {
            throw .malformed("a source in a bucket is s3://bucket/key; a purge of a bucket is one of a prefix")
        }
        return PurgeTarget(kind: .source, url: url, name: name.text)
    }

    /// All sources with the scheme, host and port of a URL, at its path or below it, with any query. The host "*" stands
    /// for all hosts, and "*.example.com" for those below example.com. Also all objects of a bucket, such as s3://photos,
    /// or those below a path in it.
    ///
    /// - Throws: 400 if the prefix is not the URL of a source, or has a query.
    package static func prefix(_ url: ByteString) throws(RenditionError) -> PurgeTarget {
        try check(url)
        guard !url.contains(UInt8(ascii: "?")) || url.isLocalSource || url.isObjectSource else {
            throw .malformed("the prefix of a purge has no query")
        }
        return PurgeTarget(kind: .prefix, url: url, name: try SourceName(url, takesPattern: true).prefixText)
    }

    private static func check(_ url: ByteString) throws(RenditionError) {
        guard !url.isEmpty else { throw .malformed("the URL of a purge is empty; a purge of all sources names none") }
        guard url.count <= lengthLimit else {
            throw .malformed("the URL of a purge has more than \(lengthLimit) bytes")
        }
    }

    /// The names of the prefixes that cover more sources than the target.
    var widerPrefixes: [ByteString] {
        guard kind != .all, let source = try? SourceName(url, takesPattern: true) else { return [] }
        return source.coveringPrefixes.filter { $0 != name }
    }

    /// Creates the target that a line of the file names; `nil` if the line names none.
    init?(kind: Kind, url: ByteString) {
        do throws(RenditionError) {
            switch kind {
            case .source: self = try .source(url)
            case .prefix: self = try .prefix(url)
            case .all:
                guard url.isEmpty else { return nil }
                self = .all
            }
        } catch {
            return nil
        }
    }
}
