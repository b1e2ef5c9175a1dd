import CalotypeBase
import CalotypeStore
import Foundation
import Requirements
import ResourceProvider
import ResourceProviderParts
import TestFiles
import Testing

// S3.11, without D3.4 and D3.5.
@Suite struct `Files of one directory` {
    @Test func `what is stored is found again, also by the next cache over the directory`() {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path)
        #expect(cache.value(for: "key") == nil)
        for size in [0, 1, 100_000] {
            cache.store(value: sampleBytes(size), for: "key")
            #expect(cache.value(for: "key") == sampleBytes(size))
        }
        #expect(LocalFileDataCache(directory: directory.path).value(for: "key") == sampleBytes(100_000))
        #expect(cache.report.count == 1)
        #expect(cache.report.hits == 3 && cache.report.misses == 1 && cache.report.stores == 3)
    }

    @Test func `keys that would be dangerous or equal as file names keep to themselves`() {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path + "/made/on/demand")
        let keys = [
            "/x/photo.jpg?w=100", "/y/photo.jpg?w=200", "/", "..", "a/..", "", "../../x", "a\0b", "é", "e\u{301}",
        ]
        for (number, key) in keys.enumerated() { cache.store(value: Data([UInt8(number)]), for: key) }
        for (number, key) in keys.enumerated() { #expect(cache.value(for: key) == Data([UInt8(number)])) }
        #expect(directory.files.allSatisfy { $0.hasPrefix("made/on/demand/") })
        #expect(cache.report.count == keys.count)
    }

    @Test(.requirement("C6"), arguments: ["cut", "flipped", "emptied", "grown", "other key's"])
    func `a damaged file is a miss, is counted and is deleted`(how: String) throws {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path)
        cache.store(value: sampleBytes(10_000), for: "key")
        let name = try #require(directory.files.first { $0.hasSuffix(".data") })
        switch how {
        case "other key's":
            cache.store(value: sampleBytes(10_000), for: "kez")
            let other = try #require(directory.files.first { $0.hasSuffix(".data") && $0 != name })
            try directory.edit(name) { $0 = (try? Data(contentsOf: URL(fileURLWithPath: directory / other))) ?? Data() }
        case "cut": try directory.edit(name) { $0.removeLast() }
        case "flipped": try directory.edit(name) { $0[5_000] ^= 1 }
        case "grown": try directory.edit(name) { $0.append(0) }
        default: try directory.edit(name) { $0 = Data() }
        }
        #expect(cache.value(for: "key") == nil)
        #expect(cache.report.failures == 1)
        #expect(cache.report.lastFailure?.contains("damaged") == true)
        #expect(!directory.files.contains(name))
    }

    @Test(arguments: [SpecialFile.pipe, .link])
    func `what was put in a file's place is not waited for, but a miss and deleted`(kind: SpecialFile) throws {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path)
        cache.store(value: sampleBytes(10_000), for: "key")
        let name = try #require(directory.files.first { $0.hasSuffix(".data") })
        try directory.replace(name, by: kind)
        #expect(cache.value(for: "key") == nil)
        #expect(cache.report.failures == 1)
        #expect(!directory.exists(name))
        cache.store(value: sampleBytes(10_000), for: "key")
        #expect(cache.value(for: "key") == sampleBytes(10_000))
    }

    @Test(.requirement("D3.4")) func `the size is held, oldest use first out`() {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path, byteLimit: 100_000)
        for number in 0..<9 { cache.store(value: sampleBytes(10_000), for: "\(number)") }
        #expect(cache.value(for: "0") != nil)
        cache.store(value: sampleBytes(10_000), for: "9")
        #expect(cache.report.cost ?? 0 <= 70_000)
        #expect(cache.value(for: "0") != nil && cache.value(for: "9") != nil && cache.value(for: "1") == nil)
        // A new cache counts the existing files.
        let later = LocalFileDataCache(directory: directory.path, byteLimit: 100_000)
        #expect(later.report.count == cache.report.count)
        #expect(later.report.cost == cache.report.cost)
        cache.store(value: sampleBytes(80_000), for: "0")
        #expect(cache.value(for: "0") == nil)
        #expect(cache.report.rejections == 1)
    }

    @Test func `single values and all of them can be removed`() {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path)
        for number in 0..<5 { cache.store(value: sampleBytes(10), for: "\(number)") }
        cache.removeValue(for: "3")
        #expect(cache.value(for: "3") == nil && cache.value(for: "2") != nil)
        cache.removeAll()
        #expect(cache.report.count == 0 && cache.report.cost == 0)
        #expect(!directory.files.contains { $0.hasSuffix(".data") })
    }

    @Test func `files and folders are for their user alone`() throws {
        let directory = TestDirectory()
        LocalFileDataCache(directory: directory.path).store(value: sampleBytes(100), for: "key")
        #expect(!directory.files.isEmpty)
        #expect(try directory.openToOthers() == [])
    }

    @Test func `a disk that refuses is a miss and a failure in the report, nothing more`() throws {
        let directory = TestDirectory()
        try Data().write(to: URL(fileURLWithPath: directory.path))
        let cache = LocalFileDataCache(directory: directory.path)
        cache.store(value: Data([1]), for: "key")
        #expect(cache.value(for: "key") == nil)
        #expect(cache.report.failures == 2)
        directory.delete()
        cache.store(value: Data([1]), for: "key")
        #expect(cache.value(for: "key") == Data([1]))
        directory.delete()
        cache.store(value: Data([2]), for: "key")
        #expect(cache.value(for: "key") == Data([2]))
    }

    @Test func `in an async chain it stands in front of the source`() async throws {
        let directory = TestDirectory()
        let calls = Locked(0)
        let provider = Provider.source { (id: String) async throws(StoreError) -> Data in
            calls.withLock { $0 += 1 }
            return Data(id.utf8)
        }
        .cache(LocalFileDataCache(directory: directory.path).makeAsync())
        .coordinated()
        for _ in 0..<3 { #expect(try await provider.value(for: "key") == Data("key".utf8)) }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test(.requirement("S3.11"))
    func `without a directory the files lie in a folder of the program, among the user's caches`() throws {
        let caches = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        let folder = caches.appending(path: ProcessInfo.processInfo.processName).appending(path: "files")
        let cache = LocalFileDataCache()
        #expect(cache.directory == folder.path)
        #expect(cache.byteLimit == LocalFileDataCache(directory: folder.path).byteLimit)
        let key = "calotype-test-\(UUID().uuidString)"
        cache.store(value: Data([1]), for: key)
        #expect(LocalFileDataCache().value(for: key) == Data([1]))
        cache.removeValue(for: key)
        #expect(LocalFileDataCache().value(for: key) == nil)
    }

    @Test(.requirement("S3.11")) func `a path is an identifier, of the cache itself and of what stands on it`() async {
        let directory = TestDirectory()
        let cache = LocalFileDataCache(directory: directory.path)
        let path = "photos/../1.jpg"
        cache.store(value: Data([1]), for: path)
        #expect(cache.value(for: path) == Data([1]))
        #expect(cache.value(for: "1.jpg") == nil)
        let thumbnails = cache.makeAsync().mapID { (width: Int) in "thumbnails/\(width).jpg" }
        await thumbnails.store(value: Data([2]), for: 64)
        #expect(cache.value(for: "thumbnails/64.jpg") == Data([2]))
        cache.removeValue(for: path)
        #expect(cache.value(for: path) == nil)
    }
}
