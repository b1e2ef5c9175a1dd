import CalotypeHTTPCache
import Foundation

/// A store with a file for the heads of each key, and one for each body.
final class FileStore: HTTPCacheStore {
    let folder: URL

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasSuffix(".part") { try FileManager.default.removeItem(at: file(name)) }
    }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func page(_ key: ByteString) -> (file: URL, title: Data) {
        let hash = key.bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return (file("\(hash).heads"), Data("\(key.count) ".utf8) + Data(key.bytes))
    }

    func variants(of key: ByteString) -> [StoredVariant] {
        let (file, title) = page(key)
        guard let page = try? Data(contentsOf: file), page.starts(with: title) else { return [] }
        return [StoredVariant](encodedHeads: Data(page.dropFirst(title.count))) ?? []
    }

    func change(_ key: ByteString, _ change: (inout [StoredVariant]) -> Void) throws {
        let (file, title) = page(key)
        let old = variants(of: key)
        var new = old
        change(&new)
        try (title + new.encodedHeads).write(to: file, options: .atomic)
        for gone in old where !new.contains(where: { $0.id == gone.id }) {
            try? FileManager.default.removeItem(at: self.file("\(gone.id)"))
        }
    }

    func body(of variant: StoredVariant, for key: ByteString) -> Data? {
        try? Data(contentsOf: file("\(variant.id)"))
    }

    func body(of variant: StoredVariant, for key: ByteString, in range: Range<Int>) throws -> HTTPBody? {
        let input = try FileHandle(forReadingFrom: file("\(variant.id)"))
        try input.seek(toOffset: UInt64(range.lowerBound))
        return HTTPBody(FilePart(input, length: range.count))
    }

    func writer(for key: ByteString, length: Int?) throws -> (any HTTPBodyWriter)? { try FileWriter(self, key) }

    func store(_ variant: StoredVariant, for key: ByteString, replacing old: [StoredVariant.ID]) throws {
        try variant.body?.write(to: file("\(variant.id)"))
        try change(key) { $0 = $0.filter { !old.contains($0.id) } + [variant] }
    }

    func update(_ variants: [StoredVariant], for key: ByteString) throws {
        try change(key) { $0 = $0.map { known in variants.first { $0.id == known.id } ?? known } }
    }

    func remove(_ ids: [StoredVariant.ID]?, for key: ByteString) throws {
        try change(key) { $0.removeAll { ids?.contains($0.id) ?? true } }
    }

    func removeAll() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix(".part") {
            try FileManager.default.removeItem(at: file(name))
        }
    }
}

private final class FileWriter: HTTPBodyWriter {
    private let store: FileStore
    private let key: ByteString
    private let file: URL
    private let output: FileHandle

    init(_ store: FileStore, _ key: ByteString) throws {
        (self.store, self.key, file) = (store, key, store.file("\(UUID()).part"))
        try Data().write(to: file)
        output = try FileHandle(forWritingTo: file)
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    func append(_ chunks: [Data]) throws { for chunk in chunks { try output.write(contentsOf: chunk) } }

    func commit(_ variant: StoredVariant, replacing old: [StoredVariant.ID]) throws {
        try FileManager.default.moveItem(at: file, to: store.file("\(variant.id)"))
        try store.store(variant, for: key, replacing: old)
    }
}

private final class FilePart: HTTPBodySource {
    private let input: FileHandle
    private let end: UInt64

    init(_ input: FileHandle, length: Int) {
        self.input = input
        end = (try? input.offset()).map { $0 + UInt64(length) } ?? 0
    }

    func next() throws(TransportError) -> Data? {
        do {
            let left = try end - min(end, input.offset())
            return left == 0 ? nil : try input.read(upToCount: Int(min(left, 256 << 10)))
        } catch {
            throw TransportError(.other, "\(error)", underlying: error)
        }
    }
}
