import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// Stored results that other versions of the decoders have made.
struct ResultVersionTests {
    private let folder = TemporaryFolder()

    /// Stores a result that stays fresh for an hour.
    private func store(_ body: Data, for key: ByteString) async throws {
        var options = ServerSetup(root: folder.path)
        options.store = folder.path
        options.wallClock = ManualClock().wall
        // As the server left it that made the result: a store without a table of purges counts as purged.
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        _ = try PurgeTable(inStore: folder.path, isNewStore: true, wallClock: options.wallClock, report: { _ in })
            .look()
        let disk = try #require(ServerStores(options.options.stores, report: { _ in }).results)
        var request = HTTPRequest(RenditionAnswers.url)
        request.cacheKey = key
        let response = try await Made(body: body).cached(in: ResultCache(disk, options.basis).cache).send(request)
        #expect(try await response.body.collect() == body)
        try await disk.close()
    }

    @Test func `a fresh result of other decoders is made anew, one of these is served`() async throws {
        let target: ByteString = "/w:40/plain/local:///a.jpg@png"
        let rendition = try RenditionRequest(path: target)
        let (old, own) = (Data("old".utf8), Data("own".utf8))
        let other: ByteString = "v\(codecVersion - 1).\(RenditionRequest.rulesVersion)/\(rendition.canonicalText)"
        for key in [rendition.canonicalText, other] { try await store(old, for: key) }
        try await store(own, for: try RenditionRequest(path: "/w:50/plain/local:///a.jpg@png").resultKey(mark: nil))

        let server = try TestServer { $0.store = folder.path }
        try server.write(SamplePhotos.jpeg(width: 80, height: 60), "a.jpg")
        let made = try await server.get("/_\(target)")
        #expect(made.outcome == "made" && made.size == PixelSize(width: 40, height: 30))
        #expect(try await server.get("/_/w:50/plain/local:///a.jpg@png").body == own)
        await server.close()
    }

    @Test func `a result's key names the version`() throws {
        let version: ByteString = "v\(codecVersion).\(RenditionRequest.rulesVersion)"
        let rendition = try RenditionRequest(path: "/w:40/plain/local:///a.jpg@png")
        #expect(rendition.resultKey(mark: nil) == "\(version)/\(rendition.canonicalText)")
    }
}

private struct Made: Transport {
    let body: Data

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(
            url: request.url, status: 200,
            fields: ["Cache-Control": "max-age=3600", "ETag": "\"1\"", "Content-Type": "image/png"],
            body: HTTPBody(body))
    }
}
