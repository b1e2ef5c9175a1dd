import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import Foundation

/// The writer of a body in a disk store.
final class StreamedEntry: HTTPBodyWriter {
    let body: EntryWriter
    private let disk: DiskStore
    private let store: @Sendable (StoredVariant, [StoredVariant.ID], EntryWriter) async throws -> Void

    /// - Parameter store: Stores a variant with the body, in place of others.
    init(
        _ body: EntryWriter, in disk: DiskStore,
        store: @escaping @Sendable (StoredVariant, [StoredVariant.ID], EntryWriter) async throws -> Void
    ) {
        self.body = body
        self.disk = disk
        self.store = store
    }

    var isReadable: Bool { true }

    func append(_ chunks: [Data]) async throws { try await disk.append(chunks, to: body) }

    func read(_ range: Range<Int>) async throws -> Data { try await disk.read(range, of: body) }

    func commit(_ variant: StoredVariant, replacing old: [StoredVariant.ID]) async throws {
        try await store(variant, old, body)
    }
}

/// A range of a stored body, read in pieces that are verified one by one.
final class StoredPieces: HTTPBodySource {
    private let disk: DiskStore
    private let pieces: EntryPieces
    private let end: Int
    private let position: Locked<Int>

    init(_ disk: DiskStore, _ pieces: EntryPieces, in range: Range<Int>) {
        self.disk = disk
        self.pieces = pieces
        end = range.upperBound
        position = Locked(range.lowerBound)
    }

    func next() async throws(TransportError) -> Data? {
        let piece = position.withLock { position in
            let block = (position / EntryPieces.blockSize + 1) * EntryPieces.blockSize
            let piece = position..<min(block, max(end, position))
            position = piece.upperBound
            return piece
        }
        guard !piece.isEmpty else { return nil }
        let bytes: Data?
        do throws(StoreError) {
            bytes = try await disk.read(piece, of: pieces)
        } catch {
            throw error.code == .cancelled ? .cancelled : TransportError(.other, error.message, underlying: error)
        }
        guard let bytes else { throw .storedBodyGone }
        return bytes
    }
}

extension BodyDigest: RunningDigest {}
