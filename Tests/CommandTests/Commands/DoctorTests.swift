import CalotypeTesting
import Foundation
import Testing

/// `calotype doctor`.
struct DoctorTests {
    private let calotype: Calotype

    init() throws { calotype = try Calotype() }

    private func findings(_ words: String...) async throws -> (status: Int32, findings: [[String: String]]) {
        let ending = try await calotype.start(["doctor", "--json"] + words).ending()
        #expect(ending.errors == "")
        let findings = try ending.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
        }
        return (ending.status, findings)
    }

    @Test func `a healthy machine has all codecs, libraries with their versions, and the traits that are missing`()
        async throws
    {
        let (status, findings) = try await findings()
        #expect(status == 0)
        #expect(!findings.contains { $0["state"] == "problem" })
        let details = Dictionary(findings.map { ($0["subject"] ?? "", $0["detail"] ?? "") }) { first, _ in first }
        for format in ["jpeg", "png", "webp", "avif"] { #expect(details[format] == "reads and writes") }
        for library in [
            "libcurl", "SQLite", "xxHash", "libspng", "ISA-L", "libwebp", "libavif", "libjpeg-turbo", "zlib",
        ] {
            #expect(details[library]?.firstMatch(of: /^\d+\.\d+/) != nil, "\(library)")
        }
        #expect(details["other formats"]?.contains("gif") == true)
        #expect(details["other formats"]?.contains(/[+.]/) == false)
        #if SVG
            #expect(details["other formats"]?.contains(", svg") == true)
        #else
            #expect(findings.contains { $0["state"] == "note" && $0["detail"]?.contains("(trait SVG)") == true })
        #endif
        #expect(FileManager.default.fileExists(atPath: try #require(details["certificates"])))
        #expect(details["cache"]?.hasSuffix("/cache/calotype: not used yet") == true)
        #expect(
            try await calotype("doctor").lines.contains { $0.hasPrefix("ok       jpeg           reads and writes") })
    }

    @Test func `what is wrong is a problem, and the status says so`() async throws {
        try calotype.write("a file", to: "cache")
        let cache = try await findings("--cache-dir", "cache")
        #expect(cache.status == 1)
        #expect(cache.findings.contains { $0["state"] == "problem" && $0["detail"] == "cache is not a directory" })
        try calotype.write("nonsense", to: "../home/.config/calotype/config")
        let configuration = try await findings()
        #expect(configuration.status == 1)
        #expect(
            configuration.findings.contains {
                $0["state"] == "problem" && $0["subject"] == "configuration"
                    && $0["detail"]?.contains("config:1: ") == true
            })
    }

    @Test func `a cache with a damaged file is found`() async throws {
        let origin = try OriginServer()
        origin.on("/a.png", .ok(SamplePhotos.png(width: 400, height: 300)))
        _ = try await calotype("fetch", origin.url("/a.png").absoluteString)
        let healthy = try await findings()
        #expect(healthy.status == 0)
        #expect(healthy.findings.contains { $0["subject"] == "cache" && $0["detail"]?.contains(": 1 image, ") == true })
        let place = calotype.place.appending(path: "cache/calotype")
        let files = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
        let largest = try #require(
            files.max { size("\(place.path)/\($0)") < size("\(place.path)/\($1)") }.map { "\(place.path)/\($0)" })
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: largest))
        try handle.seek(toOffset: 5000)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 64))
        try handle.close()
        let damaged = try await findings()
        #expect(damaged.status == 1)
        #expect(damaged.findings.contains { $0["state"] == "problem" && $0["detail"]?.contains("1 damaged") == true })
        #expect(try await findings().status == 0)
    }

    private func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}
