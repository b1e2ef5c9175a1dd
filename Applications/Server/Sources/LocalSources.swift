import Calotype
import CalotypeBase
import CalotypeHTTPCache
import Foundation

/// The local sources: files in the server's root folder, found by path, and identified by a digest of their bytes.
final class LocalSources: Sendable {
    /// The lifetime of a local source's renditions, in seconds. Caches use a rendition for this time before they ask
    /// whether its file has changed.
    private static let lifetime = 60

    private let root: SourceRoot
    private let loader: ImageLoader
    private let byteLimit: Int
    private let pool = BlockingPool(threads: 2)
    /// The digests of files that have not changed since they were read.
    private let digests = Locked<[SourceFile.Facts: String]>([:])

    init(_ root: SourceRoot, _ loader: ImageLoader, byteLimit: Int) {
        (self.root, self.loader, self.byteLimit) = (root, loader, byteLimit)
    }

    /// Looks a file up, and reads it only if it is new or has changed.
    func find(_ path: ByteString, byteLimit: Int?) async throws(ServerError) -> FoundSource {
        let limit = min(self.byteLimit, byteLimit ?? .max)
        return try await pool.run { [self] () throws(ServerError) in try found(path, limit) }
    }

    private func found(_ path: ByteString, _ limit: Int) throws(ServerError) -> FoundSource {
        let file = try root.file(at: path)
        guard file.facts.size <= limit else { throw .tooLarge }
        if let digest = digests.withLock({ $0[file.facts] }) {
            return found(digest, source(file, digest, nil))
        }
        let data = try file.read(limit: limit)
        let digest = data.withUnsafeBytes { KeyDigest.hex(of: $0) }
        if file.facts.areSettled { remember(digest, of: file.facts) }
        return found(digest, source(file, digest, data))
    }

    private func remember(_ digest: String, of facts: SourceFile.Facts) {
        digests.withLock { digests in
            // Removes all entries, because the order of use is not tracked: files still in use are read again.
            if digests.count >= 65_536 { digests.removeAll() }
            digests[facts] = digest
        }
    }

    private func found(_ digest: String, _ source: ImageSource) -> FoundSource {
        FoundSource(digest: digest, lifetime: .seconds(Self.lifetime), loader: loader, origin: .source(source))
    }

    /// - Parameter data: The file's bytes if they have just been read, so that decoding does not read them again.
    private func source(_ file: SourceFile, _ digest: String, _ data: Data?) -> ImageSource {
        .custom(id: "file \(digest)") { [pool, byteLimit] in
            if let data { return data }
            return try await pool.run { () throws(ServerError) in try file.read(limit: byteLimit) }
        }
    }
}
