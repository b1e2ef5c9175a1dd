import CalotypeBase
import CalotypeURLs

/// The rendition of a client's request, with its key in the cache of results. Equal keys make equal files.
final class TargetedRendition: Hashable, Sendable {
    let rendition: RenditionRequest
    let key: ByteString
    /// The host of the source, or `nil` for a local source.
    let sourceHost: ByteString?

    /// - Parameter mark: The digest of the server's watermark.
    init(_ rendition: RenditionRequest, mark: ByteString? = nil) {
        self.rendition = rendition
        sourceHost = (try? SourceURL(rendition.source))?.host
        key = rendition.resultKey(mark: mark)
    }

    static func == (one: TargetedRendition, other: TargetedRendition) -> Bool { one.key == other.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The renditions of targets that have been verified and parsed, so that the server need not repeat this for each
/// request to a popular URL.
final class KnownTargets: Sendable {
    /// A target and the values of Accept, which together determine the rendition.
    struct Name: Hashable {
        let target: ByteString
        let accept: [ByteString]

        fileprivate var isShort: Bool { accept.reduce(target.count) { $0 + $1.count } <= 1024 }
    }

    private static let limit = 4096

    private let known = Locked<[Name: TargetedRendition]>([:])

    subscript(_ name: Name) -> TargetedRendition? { known.withLock { $0[name] } }

    /// - Parameter rendition: The rendition of a target whose signature is valid.
    func insert(_ rendition: TargetedRendition, for name: Name) {
        guard name.isShort else { return }
        known.withLock { known in
            // Removes all entries, because the order of use is not tracked: targets still in use are parsed again.
            if known.count >= Self.limit { known.removeAll() }
            known[name] = rendition
        }
    }
}
