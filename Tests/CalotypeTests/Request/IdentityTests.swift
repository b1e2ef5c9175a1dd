import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct IdentityTests {
    private func request(_ url: URL, _ field: String, _ value: String) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue(value, forHTTPHeaderField: field)
        return request
    }

    @Test(.requirement("C14", "D0.14"), arguments: ["Authorization", "Cookie"])
    func `two users never share an image, in memory, on disk or in one download`(_ field: String) async throws {
        let origin = try OriginServer()
        origin.on("/me") { request in
            var reply = OriginReply.ok(
                PlainDecoder.data(blue: request.fields[CaselessString(field)] == "alice" ? 1 : 2))
            reply.fields["Cache-Control"] = "max-age=60"
            reply.fields["Vary"] = ByteString(field)
            return reply
        }
        let url = origin.url("/me")
        let folder = TemporaryFolder()
        func loader() -> ImageLoader {
            var options = ImageLoaderOptions.ephemeral
            options.decoders.register(PlainDecoder())
            options.disk = .store(DiskStore(directory: folder.path))
            return ImageLoader(options)
        }
        let first = loader()
        async let alice = first.fetch(request(url, field, "alice"))
        async let bob = first.fetch(request(url, field, "bob"))
        #expect(try await alice.blue == 1)
        #expect(try await bob.blue == 2)
        #expect(origin.requestCount("/me") == 2)
        #expect(first.cachedImage(for: url) == nil)
        #expect(first.cachedImage(for: ImageRequest(request(url, field, "alice")))?.blue == 1)

        try await first.diskStore?.flush()
        let second = loader()
        #expect(try await second.fetch(request(url, field, "bob")).blue == 2)
        #expect(try await second.fetch(request(url, field, "alice")).blue == 1)
        #expect(origin.requestCount("/me") == 2)
    }

    @Test func `the secret itself is not in the keys on disk`() async throws {
        let room = TemporaryFolder().room()
        _ = try await room.loader.fetch(request(.photo(), "Authorization", "Bearer s3cret"))
        let store = try #require(room.loader.diskStore)
        let keys = try await store.list().map(\.key)
        #expect(keys.count == 1)
        #expect(!keys[0].contains("s3cret"))
    }

    /// Only Authorization and Cookie used to be dropped: a key for one host was sent to any that it redirected to.
    @Test(arguments: [true, false])
    func `an identity field does not follow a redirect to another origin`(hasStore: Bool) async throws {
        let (origin, other) = (try OriginServer(), try OriginServer())
        origin.on("/here", .redirect(to: "/away"))
        origin.on("/away", .redirect(to: other.url("/photo").absoluteString))
        other.on("/photo", .ok(PlainDecoder.data()))
        let folder = TemporaryFolder()
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        options.identityFields = ["Authorization", "Cookie", "X-Api-Key"]
        if hasStore { options.disk = .store(DiskStore(directory: folder.path)) }
        _ = try await ImageLoader(options).fetch(request(origin.url("/here"), "x-api-key", "s3cret"))
        #expect(origin.requests.map { $0.fields["X-Api-Key"] } == ["s3cret", "s3cret"])
        #expect(other.requests.map { $0.fields["X-Api-Key"] } == [nil])
    }

    @Test(.requirement("S0.2")) func `a request's header fields and method reach the transport`() async throws {
        let room = LoaderFixture()
        var request = request(.photo(), "X-Token", "7")
        request.httpMethod = "POST"
        request.httpBody = Data("a".utf8)
        _ = try await room.loader.fetch(request)
        #expect(room.transport.requests.first?.fields["X-Token"] == "7")
        #expect(room.transport.requests.first?.method == .post)
        request.httpBody = Data("b".utf8)
        _ = try await room.loader.fetch(request)
        #expect(room.transport.requestCount == 2)
    }

    @Test func `a caller's own key stands in for the URL; the part behind # does not count`() async throws {
        let room = LoaderFixture()
        var signed = ImageRequest(.photo("1?signature=a"))
        signed.cacheKey = "photo 1"
        _ = try await room.loader.fetch(signed)
        signed.source = .url(.photo("1?signature=b"))
        #expect(room.loader.cachedImage(for: signed) != nil)
        #expect(room.loader.cachedImage(for: URL.photo("1?signature=a")) == nil)
        _ = try await room.loader.fetch(URL.photo("2#top"))
        #expect(room.loader.cachedImage(for: URL.photo("2")) != nil)
    }

    @Test(.requirement("D3.5", "D4.12")) func `what differs in size or steps, however little, has a key of its own`()
        async throws
    {
        let room = LoaderFixture()
        let requests = [
            ImageRequest(.photo()), ImageRequest(.photo(), size: ResizeTarget(width: 4)),
            ImageRequest(.photo(), size: ResizeTarget(width: 4, height: 4)),
            ImageRequest(.photo(), size: ResizeTarget(width: 4, height: 4, mode: .fill)),
            ImageRequest(.photo(), steps: [ImageSteps.RoundedCorners(radius: 3.2)]),
            ImageRequest(.photo(), steps: [ImageSteps.RoundedCorners(radius: 3.9)]),
            ImageRequest(.photo(), steps: [CountingStep("a"), CountingStep("b")]),
            ImageRequest(.photo(), steps: [CountingStep("a\nstep 1 b")]),
        ]
        for (index, request) in requests.enumerated() {
            #expect(room.loader.cachedImage(for: request) == nil, "\(index)")
            _ = try await room.loader.fetch(request)
        }
    }
}
