import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

/// Section 8: the origin of images in the second run.
struct FetchCacheTests {
    private let calotype: Calotype
    private let origin: OriginServer
    private let url: String

    init() throws {
        calotype = try Calotype()
        origin = try OriginServer()
        var photo = OriginReply.ok(Pictures.jpeg())
        photo.fields["Cache-Control"] = "max-age=3600"
        origin.on("/photo.jpg", photo)
        url = origin.url("/photo.jpg").absoluteString
    }

    private func fetch(_ options: String...) async throws -> Calotype.Ending {
        try await calotype.start(["fetch", "--overwrite", "--verbose", url] + options).ending()
    }

    @Test(.requirement("S0.11")) func `the second run is served from the disk, without a request`() async throws {
        #expect(try await fetch().lines.first?.contains("from network") == true)
        #expect(try await fetch().lines.first?.contains("from disk") == true)
        #expect(try await fetch("--size", "40").lines.first?.contains("from disk") == true)
        #expect(origin.requestCount() == 1)
    }

    @Test(.requirement("S4.10")) func `reload asks again, cache-else-load and cache-only do not`() async throws {
        _ = try await fetch()
        #expect(try await fetch("--policy", "reload").status == 0)
        #expect(origin.requestCount() == 2)
        #expect(try await fetch("--policy", "cache-else-load").status == 0)
        origin.stop()
        #expect(try await fetch("--policy", "cache-only").status == 0)
        #expect(origin.requestCount() == 2)
    }

    @Test(.requirement("B46")) func `cache-only fails for what was never loaded, without a request`() async throws {
        let ending = try await fetch("--policy", "cache-only")
        #expect(ending.status == 1)
        #expect(ending.errors.contains("not in the cache"))
        #expect(origin.requestCount() == 0)
    }

    @Test func `--no-cache leaves nothing behind and finds nothing`() async throws {
        _ = try await fetch("--no-cache")
        _ = try await fetch("--no-cache")
        #expect(origin.requestCount() == 2)
        #expect(try await calotype("cache", "stats").status == 1)
    }

    @Test(arguments: [["--cache-dir", "file/cache"], ["--cache-dir", "file"], []])
    func `a named cache directory that cannot be made is one line, and images are loaded all the same`(
        _ options: [String]
    ) async throws {
        try calotype.write("", to: "file")
        let environment = options.isEmpty ? ["CALOTYPE_CACHE_DIR": "file/cache"] : [:]
        let ending = try await calotype.start(["fetch", url] + options, environment: environment).ending()
        #expect(ending.status == 0 && ending.lines == ["photo.jpg"])
        let name = options.isEmpty ? "CALOTYPE_CACHE_DIR=file/cache" : options.joined(separator: " ")
        #expect(ending.errorLines.count == 1, "\(ending.errors)")
        #expect(ending.errors.hasPrefix("calotype: \(name): ") && ending.errors.hasSuffix("; nothing is cached\n"))
    }

    @Test func `--cache-dir is used in place of the usual one`() async throws {
        _ = try await fetch("--cache-dir", "here")
        #expect(calotype.files.contains("here"))
        _ = try await fetch()
        #expect(origin.requestCount() == 2)
    }

    @Test func `without XDG_CACHE_HOME, or where it is relative, the cache is under the home directory`() async throws {
        for value in ["", "relative"] {
            _ = try await calotype("fetch", "--overwrite", url, environment: ["XDG_CACHE_HOME": value])
        }
        #expect(origin.requestCount() == 1)
        let cache = calotype.place.appending(path: "home/.cache/calotype").path
        #expect(FileManager.default.fileExists(atPath: cache))
    }

    @Test(.requirement("C14")) func `runs with different header fields never share an entry`() async throws {
        origin.on("/photo.jpg") { request in
            .ok(Pictures.jpeg(seed: request.fields["X-User"] == "b" ? 2 : 1))
        }
        _ = try await fetch("-H", "X-User: a")
        #expect(try calotype.contents("photo.jpg") == Pictures.jpeg(seed: 1))
        _ = try await fetch("-H", "X-User: b")
        #expect(try calotype.contents("photo.jpg") == Pictures.jpeg(seed: 2))
        #expect(origin.requestCount() == 2)
    }
}
