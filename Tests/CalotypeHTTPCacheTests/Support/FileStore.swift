import CalotypeHTTPCache
import Foundation

/// A store with a file for the heads of each key, and one for each body.
final class FileStore: HTTPCacheStore {
    private let folder: URL

    init(folder: URL) throws {
        self.folder = folder
        try? FileManager.default.removeItem(at: file("parts"))  // of a process that was killed
        try FileManager.default.createDirectory(at: file("parts"), withIntermediateDirectories: true)
    }

    private func file(_ name: some CustomStringConvertible) -> URL { folder.appendingPathComponent("\(name)") }

    func variants(of key: ByteString) -> [StoredVariant] {
        (try? Data(contentsOf: file(fileName(for: key)))).flatMap { [StoredVariant](encodedHeads: $0) } ?? []
    }

    private func change(_ key: ByteString, _ change: ([StoredVariant]) -> [StoredVariant]) throws {
        let old = variants(of: key)
        let new = change(old)
        try new.encodedHeads.write(to: file(fileName(for: key)), options: .atomic)
        let gone = Set(old.map(\.id)).subtracting(new.map(\.id))
        for id in gone { try? FileManager.default.removeItem(at: file(id)) }
    }

    func body(of variant: StoredVariant, for key: ByteString) -> Data? { try? Data(contentsOf: file(variant.id)) }

    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) throws -> HTTPBody? {
        try HTTPBody(contentsOf: file(variant.id), in: range)
    }

    func writer(for key: ByteString, length: Int?) throws -> (any HTTPBodyWriter)? {
        let part = file("parts/\(UUID())")
        return try fileWriter(at: part) { [self] variant, old in
            try FileManager.default.moveItem(at: part, to: file(variant.id))
            try store(variant, for: key, replacing: old)
        }
    }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) throws {
        try variant.body?.write(to: file(variant.id))
        try change(key) { $0.filter { !old.contains($0.id) } + [variant] }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) throws {
        try change(key) { $0.map { known in variants.first { $0.id == known.id } ?? known } }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) throws {
        try change(key) { $0.filter { ids?.contains($0.id) == false } }
    }

    func removeAll() throws {
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: file("parts"), withIntermediateDirectories: true)
    }
}
