internal import CalotypeHTTP
internal import Foundation

// Responses from the store, which read only the stored bytes that the client gets.

extension CacheExchange {
    /// Returns a response from the stored variant, or `nil` if its body is gone.
    func stored(
        _ variant: StoredVariant, _ source: CacheOutcome.Source, _ status: CacheStatus
    ) async -> HTTPResponse? {
        if let late = late(variant, source, status) { return late }
        if let bare = bare(variant, source, status) { return bare }
        if let filed = await filed(variant, source, status) { return filed }
        guard let body = await cache.body(of: variant, key) else { return nil }
        let now = now
        let freshness = rules.freshness(of: variant.head, now: now)
        return cache.answer(request, key, variant, body, source, freshness, status, now: now)
    }

    /// Returns a response whose body is opened when it is read, or `nil` if the request does not allow that, the body
    /// is in memory, or the response is not the whole stored response.
    private func late(
        _ variant: StoredVariant, _ source: CacheOutcome.Source, _ status: CacheStatus
    ) -> HTTPResponse? {
        guard request.allowsLazyBody, variant.body == nil, request.method == .get else { return nil }
        let now = now
        let answer = rules.answer(request, from: variant.head, validated: source == .revalidated, now: now)
        guard case .whole = answer else { return nil }
        return cache.response(
            to: request, key, variant, answer, source, rules.freshness(of: variant.head, now: now), status, now: now
        ) { _ in HTTPBody(opening: { [cache, key] in StoredBody(cache, variant, key) }) }
    }

    /// Returns a response without stored bytes (to HEAD, a 304 or a 416), or `nil` if the response needs stored bytes,
    /// the body is in memory, or only the head is stored.
    private func bare(
        _ variant: StoredVariant, _ source: CacheOutcome.Source, _ status: CacheStatus
    ) -> HTTPResponse? {
        guard variant.body == nil, !variant.lacksBody else { return nil }
        let now = now
        let answer = rules.answer(request, from: variant.head, validated: source == .revalidated, now: now)
        guard request.method == .head || answer.stored(of: variant.head) == nil else { return nil }
        return cache.response(
            to: request, key, variant, answer, source, rules.freshness(of: variant.head, now: now), status, now: now
        ) { _ in .empty }
    }

    /// Returns a response whose body is a file, or `nil` if the request does not allow that, or the body is small, in
    /// memory, gone or not available as a file.
    private func filed(
        _ variant: StoredVariant, _ source: CacheOutcome.Source, _ status: CacheStatus
    ) async -> HTTPResponse? {
        guard request.takesBodyAsFile, variant.body == nil, variant.head.bodyLength >= HTTPCache.fileLength else {
            return nil
        }
        let now = now
        let answer = rules.answer(request, from: variant.head, validated: source == .revalidated, now: now)
        guard let range = answer.stored(of: variant.head),
            let file = await cache.file(of: variant, key, covering: range)
        else { return nil }
        return cache.response(
            to: request, key, variant, answer, source, rules.freshness(of: variant.head, now: now), status, now: now
        ) { _ in HTTPBody(FileSlice(file, range)) }
    }
}
