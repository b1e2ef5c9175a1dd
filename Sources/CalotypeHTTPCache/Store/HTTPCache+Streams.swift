internal import CalotypeBase
internal import CalotypeHTTP

// Large bodies, which the store takes while they arrive, and returns in pieces.

extension HTTPCache {
    /// Returns a body that reads a range of a stored body at the pace of its reader, or `nil` if the stored body is gone,
    /// or the store fails.
    func streamedBody(of variant: StoredVariant, _ key: ByteString, in range: Range<Int>) async -> HTTPBody? {
        guard !variant.lacksBody else { return nil }
        return await guarded(or: nil) { try await store.body(of: variant, for: key, in: range) }
    }

    /// Whether a body of this length is stored while it arrives, and read from the store by its readers.
    func streams(_ length: Int) -> Bool { length >= max(1, options.streamedLength) }

    /// Opens a writer of the store for a body. Returns `nil` if the store has none for it, or fails.
    func writer(for key: ByteString, length: Int?) async -> (any HTTPBodyWriter)? {
        await guarded(or: nil) {
            try await storeTimeout.limit { [store] in try await store.writer(for: key, length: length) }
        }
    }

    func streamedStoring(for key: ByteString) -> StreamedStoring {
        StreamedStoring(
            threshold: max(1, options.streamedLength),
            open: { [weak self] in await self?.writer(for: key, length: nil) }, digest: options.bodyDigest,
            timeout: storeTimeout, onProblem: { [onProblem] in onProblem?($0) })
    }

    /// Commits a body, within the time limit of the store. If the commit ends later, the removals count that happened
    /// until then.
    func commit(
        _ variant: StoredVariant, in writer: any HTTPBodyWriter, _ key: ByteString, replacing old: [StoredVariant.ID],
        removals counts: RemovalCounts
    ) async throws {
        try await storeTimeout.limit { [self] in
            try await writer.commit(variant, replacing: old)
            noteChange()
            if !isCurrent(counts, key) { await remove(nil, key) }
        }
    }
}
