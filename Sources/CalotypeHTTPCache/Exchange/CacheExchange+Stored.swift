internal import CalotypeHTTP
internal import Foundation

extension CacheExchange {
    /// Returns a response from the stored variant, or `nil` if its body is gone, or absent by a purge since the lookup.
    func stored(
        _ variant: StoredVariant, _ source: CacheOutcome.Source, _ status: CacheStatus
    ) async -> HTTPResponse? {
        guard cache.purgeEffect(on: variant.head, key) != .absent else { return nil }
        cache.uses.note(variant.id)
        if variant.body == nil {
            let now = now
            let answer = rules.answer(request, from: variant.head, validated: source == .revalidated, now: now)
            if let body = await unreadBody(variant, answer) {
                let freshness = rules.freshness(of: variant.head, now: now)
                return cache.response(
                    to: request, key: key, from: variant, answer, source: source, freshness, status, now: now
                ) { _ in body }
            }
        }
        guard let body = await cache.body(of: variant, key) else { return nil }
        let now = now
        let freshness = rules.freshness(of: variant.head, now: now)
        return cache.answer(
            to: request, key: key, from: variant, body: body, source: source, freshness, status, now: now)
    }

    /// Returns a body that reads nothing into memory yet (empty, opened on first use, a slice of a file, or a stream from the
    /// store), or `nil` if the stored body has to be read now or is missing.
    private func unreadBody(_ variant: StoredVariant, _ answer: ClientAnswer) async -> HTTPBody? {
        if let body = variant.lastStream, request.method == .get, case .whole = answer { return body }
        if request.allowsLazyBody, request.method == .get, case .whole = answer {
            return HTTPBody(opening: { [cache, key] in StoredBody(cache, variant, key) })
        }
        let range = answer.stored(of: variant.head)
        if request.method == .head || range == nil { return variant.lacksBody ? nil : .empty }
        guard !variant.lacksBody, let range else { return nil }
        if request.takesBodyAsFile, variant.head.bodyLength >= HTTPCache.fileLength,
            let file = await cache.file(of: variant, key, covering: range)
        {
            return HTTPBody(FileSlice(file, range))
        }
        guard cache.streams(variant.head.bodyLength) else { return nil }
        return await cache.streamedBody(of: variant, key, in: range)
    }
}
