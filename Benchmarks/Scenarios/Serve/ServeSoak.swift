import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import Foundation

extension Scenario {
    /// The memory of a server under mixed load, and after a burst of large photographs.
    static let serveSoak = Scenario(
        name: "serve-soak",
        summary: "calotype serve --memory 512MB: memory (PSS) in 10,000 mixed requests and 100 x 12 MP, and afterwards"
    ) { bench in
        let mixed = try MixedLoad()
        let (first, rest) = bench.isQuick ? (500, 2500) : (1000, 9000)
        try await mixed.request(first)
        try await Task.sleep(for: .seconds(2))
        let early = try mixed.server.tree.proportionalBytes()
        let watch = MemoryWatch(mixed.server.tree)
        try await mixed.request(rest)
        try await mixed.requestLargeAtOnce(bench.isQuick ? 40 : 100)
        let peak = watch.peak
        try await Task.sleep(for: .seconds(30))
        let late = try mixed.server.tree.proportionalBytes()
        bench.report(
            "serve-soak-peak", with: "512 MB", unit: "MB", bar: .atMost(1.15), [(peak / 1e6, 512)])
        bench.report(
            "serve-soak-after", with: "after the first \(first)", unit: "MB", bar: .atMost(1.2),
            [(late / 1e6, early / 1e6)])
    }
}

/// Requests of all kinds: thumbnails old and new, conditions, ranges, wrong URLs.
private final class MixedLoad {
    let server: CalotypeProcess
    private let folder: ScratchDirectory
    private let client = ThumbnailClient(connections: 128)
    private var random = SplitMix(seed: 33)
    private var buster = 0

    init() throws {
        folder = try ScratchDirectory()
        for (name, data) in [
            ("large.jpg", Photographs.large), ("medium.jpg", Photographs.medium), ("small.jpg", Photographs.small),
            ("a.png", SamplePhotos.png(width: 800, height: 600, hasAlpha: true)),
            ("a.webp", SamplePhotos.webp(width: 1200, height: 900)),
        ] {
            try data.write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        server = try .serve(root: folder.path, options: ["--memory", "512MB", "--log", "none"])
    }

    func request(_ count: Int) async throws {
        let requests = try (0..<count).map { _ in try draw() }
        try await inTasks(8, requests) { [client] request in
            let status = try await client.answer(request.url, request.fields).status
            guard request.expected.contains(status) else { throw BenchError("\(status) for \(request.url)") }
        }
    }

    /// Requests thumbnails of a photograph of 12 megapixels, all at once.
    func requestLargeAtOnce(_ count: Int) async throws {
        let urls = try (0..<count).map { _ in try url("large.jpg", width: 800) }
        try await inTasks(count, urls) { [client] url in
            let status = try await client.answer(url).status
            guard [200, 503].contains(status) else { throw BenchError("\(status) for \(url)") }
        }
    }

    private struct Request {
        let url: String
        var fields: HTTPFields = [:]
        let expected: Set<Int>
    }

    private func draw() throws -> Request {
        let name = ["medium.jpg", "small.jpg", "a.png", "a.webp"][random.number(below: 4)]
        let old = server.url + (try ThumbnailURL.path("local:///\(name)", width: 200))
        switch random.number(below: 20) {
        case 0: return Request(url: try url("large.jpg", width: 400), expected: [200])
        case 1..<6:
            let formats = ["jpg", "webp", "png"]
            let width = 40 + random.number(below: 600)
            return Request(
                url: try url(name, width: width, format: formats[random.number(below: 3)]), expected: [200])
        case 6: return Request(url: old, fields: ["If-None-Match": "*"], expected: [200, 304])
        case 7: return Request(url: old, fields: ["Range": "bytes=10-99"], expected: [200, 206])
        case 8: return Request(url: try url("missing-\(buster).jpg", width: 10), expected: [404])
        case 9: return Request(url: "\(server.url)/wrong/w:10/plain/local:///a.png", expected: [403])
        default: return Request(url: old, expected: [200])
        }
    }

    /// Returns the URL of a thumbnail that no cache has.
    private func url(_ name: String, width: Int, format: String = "jpg") throws -> String {
        buster += 1
        return server.url
            + (try ThumbnailURL.path("local:///\(name)", width: width, format: format, buster: "\(buster)"))
    }
}
