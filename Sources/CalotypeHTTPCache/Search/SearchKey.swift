internal import CalotypeHTTP

/// A key, divided at the query of its URL.
struct SearchKey: Hashable, Sendable {
    /// The key without the query: partition, origin and path.
    let path: ByteString
    let query: ByteString

    /// - Returns: `nil` if the query is longer than No-Vary-Search applies to.
    init?(_ key: ByteString) {
        // A partition precedes the URL, with a line feed, and may contain anything.
        let mark = key.withBytes { bytes -> Int? in
            let start = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            return bytes[start...].firstIndex(of: UInt8(ascii: "?"))
        }
        guard let mark else {
            (path, query) = (key, "")
            return
        }
        guard key.count - mark - 1 <= SearchVariance.lengthLimit else { return nil }
        path = key.withBytes { ByteString(bytes: $0[..<mark]) }
        query = key.dropFirst(mark + 1)
    }

    /// A text under which `Removals` counts the removals of all URLs with this path. No key begins like that.
    var removals: ByteString { "search \(path)" }
}

/// The key of a request: that of its URL, or of another URL whose responses are the same by their No-Vary-Search.
struct RequestKey: Sendable {
    /// The key of the request's own URL, or the name that it has instead.
    let asked: ByteString
    /// The key under which the responses are stored.
    let key: ByteString
    /// The reason for which the response to another URL may answer; `nil` if `key` is that of the request's own URL.
    let variance: SearchVariance?

    init(_ asked: ByteString) { (self.asked, key, variance) = (asked, asked, nil) }

    init(_ asked: ByteString, as match: SearchIndex.Match) {
        (self.asked, key, variance) = (asked, match.key, match.variance)
    }

    /// Returns `true` if a response that is stored under the key is one to the request's URL: the responses of a path may
    /// differ in No-Vary-Search.
    func covers(_ head: StoredResponse) -> Bool { variance == nil || head.head.searchVariance == variance }
}

extension ByteString {
    /// The URL in a key.
    var urlOfKey: ByteString {
        let start = withBytes { $0.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }
        return start == 0 ? self : dropFirst(start)
    }
}
