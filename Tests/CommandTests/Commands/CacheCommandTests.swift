import CalotypeTesting
import Foundation
import Testing

/// Section 8: `calotype cache`.
struct CacheCommandTests {
    private let calotype: Calotype
    private let origin: OriginServer

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
        origin.onAny { _ in .ok(SamplePhotos.png(width: 300, height: 300)) }
    }

    private func fill(_ count: Int) async throws {
        let urls = (0..<count).map { origin.url("/\($0).png").absoluteString }
        #expect(try await calotype.start(["fetch", "-o", "out"] + urls).ending().status == 0)
    }

    private func object(_ words: String...) async throws -> [String: Any] {
        let ending = try await calotype.start(words).ending()
        return try #require(try JSONSerialization.jsonObject(with: ending.output) as? [String: Any])
    }

    @Test func `stats say how much there is`() async throws {
        try await fill(3)
        let stats = try await object("cache", "stats", "--json")
        #expect(stats["entries"] as? Int == 3)
        #expect(stats["bodyBytes"] as? Int == 3 * SamplePhotos.png(width: 300, height: 300).count)
        #expect(try await calotype("cache", "stats").lines.contains("images     3"))
    }

    @Test func `list names what is there, as many as asked`() async throws {
        try await fill(3)
        let ending = try await calotype("cache", "list")
        #expect(ending.lines.count == 3)
        for number in 0..<3 {
            let url = origin.url("/\(number).png").absoluteString
            #expect(ending.lines.contains { $0.hasSuffix(url) })
        }
        let entry = try await object("cache", "list", "--json", "--limit", "1")
        #expect(entry["type"] as? String == "image/jpeg")
        #expect(entry["bytes"] as? Int == SamplePhotos.png(width: 300, height: 300).count)
        #expect((entry["stored"] as? String)?.hasSuffix("Z") == true)
    }

    @Test(arguments: ["clear", "trim", "verify", "list", "stats"])
    func `a folder that is no cache is refused, and left as it is`(_ command: String) async throws {
        try calotype.write("mine", to: "photos/readme.txt")
        let ending = try await calotype("cache", command, "--cache-dir", "photos")
        #expect(ending.status == 1)
        #expect(ending.errorLines == ["calotype: photos: no cache exists here"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: calotype.directory.path + "/photos") == ["readme.txt"])
    }

    @Test func `trim makes it smaller, clear empties it`() async throws {
        try await fill(4)
        let size = SamplePhotos.png(width: 300, height: 300).count
        let trimmed = try await object("cache", "trim", "--json", "--bytes", "\(2 * size + size / 2)")
        #expect(trimmed["removedEntries"] as? Int == 2)
        #expect(trimmed["entries"] as? Int == 2)
        let cleared = try await object("cache", "clear", "--json")
        #expect(cleared["removedEntries"] as? Int == 2)
        #expect(cleared["entries"] as? Int == 0)
        #expect(try await calotype("cache", "list").lines.isEmpty)
    }

    @Test func `verify finds a damaged image, removes it, and ends with 1`() async throws {
        try await fill(2)
        #expect(try await calotype("cache", "verify").lines == ["2 entries checked: all good"])
        try flipByteOfAnyBlob()
        let found = try await calotype("cache", "verify")
        #expect(found.status == 1)
        #expect(found.lines == ["2 entries checked: 1 damaged and removed"])
        #expect(try await calotype("cache", "verify").lines == ["1 entry checked: all good"])
    }

    @Test(arguments: ["stats", "list", "verify", "trim", "clear"])
    func `a cache that is not there is said so, and not made`(_ command: String) async throws {
        let ending = try await calotype("cache", command, "--cache-dir", "nowhere")
        #expect(ending.status == 1)
        #expect(ending.errors == "calotype: nowhere: no cache exists here\n")
        #expect(calotype.files.isEmpty)
    }

    private func flipByteOfAnyBlob() throws {
        let blobs = calotype.place.appending(path: "cache/calotype")
        let all = try #require(FileManager.default.enumerator(at: blobs, includingPropertiesForKeys: [.fileSizeKey]))
        let size = SamplePhotos.png(width: 300, height: 300).count
        let blob = try #require(
            all.compactMap { $0 as? URL }.first { url in
                !url.lastPathComponent.hasPrefix("index")
                    && (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0 >= size
            })
        var data = try Data(contentsOf: blob)
        data[data.count / 2] ^= 1
        try data.write(to: blob)
    }
}
