import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache

/// The field of answers with tags, by which a cache in front removes them.
package enum TagField: String, CaseIterable, Sendable {
    /// The tags with commas, for Cloudflare, Akamai and Google's Media CDN.
    case cacheTag = "cache-tag"
    /// The tags with spaces, for Fastly, and for Varnish with its module xkey.
    case surrogateKey = "surrogate-key"
    /// A list of strings (RFC 9875), for caches that obey the standard, such as `calotype proxy`.
    case groups

    var name: CaselessString {
        switch self {
        case .cacheTag: "Cache-Tag"
        case .surrogateKey: "Surrogate-Key"
        case .groups: "Cache-Groups"
        }
    }

    /// - Parameter tags: Visible ASCII characters without commas, quotes and backslashes.
    func value(of tags: [ByteString]) -> ByteString {
        switch self {
        case .cacheTag: tags.joined(separator: ",")
        case .surrogateKey: tags.joined(separator: " ")
        case .groups: tags.map { "\"\($0)\"" }.joined(separator: ", ")
        }
    }
}

extension SourceName {
    /// The tag of the source's results: the same for all spellings that one purge covers.
    var tag: ByteString { PurgeTarget.tag(ofName: text) }
}

extension PurgeTarget {
    /// The tag of the results of a source; `nil` for a prefix and for all sources.
    var tag: ByteString? { kind == .source ? Self.tag(ofName: name) : nil }

    /// Returns the beginning of the name's SHA-256 digest, in 128 bits, behind "src-".
    fileprivate static func tag(ofName name: ByteString) -> ByteString {
        "src-\(String(name.withBytes { KeyDigest.hex(of: $0) }.prefix(32)))"
    }
}
