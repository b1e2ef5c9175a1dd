internal import CalotypeBase
internal import CalotypeHTTP

// Responses to several URLs of a path (No-Vary-Search): the key of a request, and the key of its response.

/// How often the stored responses of a request had been removed when it arrived. If they are removed again before its
/// response is stored, that is out of date.
struct RemovalCounts: Equatable, Sendable {
    /// The removals of the key.
    var key: UInt64
    /// The removals of all URLs with this path; `nil` if the response cannot be one to several of them.
    var path: UInt64?
}

/// The place of a new response in the store.
struct StorePlace: Sendable {
    let key: ByteString
    let head: StoredResponse
    let removals: RemovalCounts
}

extension HTTPCache {
    /// Returns the key of a request, by which its responses are looked up and stored.
    func requestKey(for request: HTTPRequest) -> RequestKey {
        let asked = key(for: request)
        guard let search, request.cacheKey == nil, request.method == .get || request.method == .head,
            let match = search.matches(asked).first, match.key != asked
        else { return RequestKey(asked) }
        return RequestKey(asked, as: match)
    }

    func removalCounts(for key: ByteString) -> RemovalCounts {
        let path = search.flatMap { _ in SearchKey(key) }.map { removals.count(for: $0.removals) }
        return RemovalCounts(key: removals.count(for: key), path: path)
    }

    func isCurrent(_ counts: RemovalCounts, _ key: ByteString) -> Bool {
        guard removals.count(for: key) == counts.key else { return false }
        guard let path = counts.path, let place = SearchKey(key) else { return true }
        return removals.count(for: place.removals) == path
    }

    /// Removes the stored responses to a URL, and to all others whose responses are the same.
    func removeStored(_ key: ByteString) async {
        var keys: Set<ByteString> = [key]
        if let search {
            if let place = SearchKey(key) { removals.note(place.removals) }
            keys.formUnion(search.matches(key).map(\.key))
        }
        for key in keys {
            removals.note(key)
            for item in transfers.removeAll(for: key) { item.transfer.markOutdated() }
            await remove(nil, key)
        }
    }

    /// Notes the No-Vary-Search of stored responses, of which the cache may not know after a restart.
    func learn(_ heads: [StoredResponse], storedAs key: ByteString) async {
        guard let search, let variance = heads.last(where: { $0.head.searchVariance != nil })?.head.searchVariance
        else {
            return
        }
        await remove(search.note(variance, of: key, storedAs: key))
    }

    /// Decides under which key a new response is stored: that under which it was looked up if it is a response to that URL,
    /// too, otherwise that of its own URL.
    ///
    /// - Parameter counts: The removals of the request's key, and of its path, before the request.
    func place(
        of head: StoredResponse, for request: RequestKey, isNamed: Bool, removals counts: RemovalCounts
    ) async -> StorePlace {
        guard let search, !isNamed else { return StorePlace(key: request.key, head: head, removals: counts) }
        let variance = head.head.searchVariance
        var key = request.asked
        if let variance, request.key != key, Self.isSame(key, request.key, by: variance) { key = request.key }
        // How often another key had been removed before the request is unknown: that of its path stands for it.
        let isOther = key != request.key
        let removals = RemovalCounts(
            key: isOther ? removals.count(for: key) : counts.key, path: isOther || variance != nil ? counts.path : nil)
        if let variance {
            await remove(search.note(variance, of: request.asked, storedAs: key).subtracting([key]))
        }
        if isOther || variance == nil {
            // The latest response to this URL is no longer one to others.
            await remove(search.forget(request.asked, but: variance).subtracting([key]))
        }
        var head = head
        head.url = key.urlOfKey
        return StorePlace(key: key, head: head, removals: removals)
    }

    private static func isSame(_ left: ByteString, _ right: ByteString, by variance: SearchVariance) -> Bool {
        guard let left = SearchKey(left), let right = SearchKey(right), left.path == right.path else { return false }
        return variance.canonical(left.query) == variance.canonical(right.query)
    }

    private func remove(_ keys: Set<ByteString>) async {
        for key in keys {
            removals.note(key)
            await remove(nil, key)
        }
    }
}
