import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// The header fields that decide whether two requests share a download or an image in memory.
@Suite struct KeyFieldsTests {
    private let folder = TemporaryFolder()

    private func request(_ url: URL, _ fields: HTTPFields) -> ImageRequest {
        ImageRequest(url, fields: fields)
    }

    private func request(_ fields: HTTPFields) -> ImageRequest { request(.photo(), fields) }

    @Test func `with Vary: Accept-Language each language gets its own image, in one download and in memory`()
        async throws
    {
        let origin = try OriginServer()
        origin.on("/sign") { request in
            var reply = OriginReply.ok(PlainDecoder.data(blue: request.fields["Accept-Language"] == "de" ? 1 : 2))
            reply.fields["Cache-Control"] = "max-age=60"
            reply.fields["Vary"] = "Accept-Language"
            return reply
        }
        func loader() -> ImageLoader {
            var options = ImageLoaderOptions.ephemeral
            options.decoders.register(PlainDecoder())
            options.disk = .store(DiskStore(directory: folder.path))
            return ImageLoader(options)
        }
        let german = request(origin.url("/sign"), ["Accept-Language": "de"])
        let french = request(origin.url("/sign"), ["Accept-Language": "fr"])
        let first = loader()
        async let one = first.fetch(german)
        async let two = first.fetch(french)
        #expect(try await one.blue == 1)
        #expect(try await two.blue == 2)
        #expect(first.cachedImage(for: german)?.blue == 1)
        #expect(first.cachedImage(for: french)?.blue == 2)
        try await first.diskStore?.flush()
        let second = loader()
        #expect(try await second.fetch(french).blue == 2)
        #expect(try await second.fetch(german).blue == 1)
        #expect(origin.requestCount("/sign") == 2)
    }

    @Test func `any field that the caller set tells requests apart, whatever the order and case of names`() async throws
    {
        let room = LoaderFixture()
        _ = try await room.loader.fetch(request(["X-Scale": "2", "Accept": "image/png"]))
        #expect(room.loader.cachedImage(for: request(["accept": "image/png", "x-scale": "2"])) != nil)
        let others: [HTTPFields] = [
            [:], ["X-Scale": "2"], ["X-Scale": "3", "Accept": "image/png"], ["X-Scale": "2", "Accept": "image/webp"],
        ]
        for other in others {
            #expect(room.loader.cachedImage(for: request(other)) == nil, "\(Array(other))")
        }
    }

    @Test(arguments: ["Priority", "user-agent", "traceparent", "tracestate", "baggage", "X-Request-ID"])
    func `requests that differ in a field of no consequence share one download`(name: String) async throws {
        let room = LoaderFixture()
        _ = try await room.loader.fetch(request([CaselessString(name): "a"]))
        #expect(try await room.loader.response(for: request([CaselessString(name): "b"])).origin == .memory)
        #expect(room.transport.requests.first?.fields[CaselessString(name)] == "a")
    }

    @Test func `the caller says which fields are of no consequence, but never those of an identity`() async throws {
        let room = LoaderFixture(options: {
            $0.fieldsOutsideKeys = ["X-Trace", "Authorization"]
            $0.identityFields = ["authorization"]
        })
        _ = try await room.loader.fetch(request(["X-Trace": "1", "Authorization": "Anna"]))
        #expect(room.loader.cachedImage(for: request(["X-Trace": "2", "Authorization": "Anna"])) != nil)
        #expect(room.loader.cachedImage(for: request(["X-Trace": "1", "Authorization": "Bert"])) == nil)
        #expect(room.loader.cachedImage(for: request(["Authorization": "Anna", "User-Agent": "x"])) == nil)
    }

    @Test(
        arguments: [["Cache-Control": "no-cache"], ["Pragma": "no-cache"], ["If-None-Match": "\"1\""]] as [HTTPFields])
    func `a request with directives does not join the download of one without`(fields: HTTPFields) async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let plain = Task { [self] in try await room.loader.fetch(request([:])) }
        await room.waitForWaiters(images: 1, sources: 1)
        let directed = Task { [self] in try await room.loader.fetch(request(fields)) }
        await waitUntil { room.transport.requestCount == 2 }
        gate.open()
        _ = try await (plain.value, directed.value)
    }

    @Test(arguments: ["no-cache", "max-age=0", "max-age=5, no-transform"])
    func `no-cache shows nothing in memory before the origin has confirmed it, and then decodes nothing`(
        directive: String
    ) async throws {
        let room = folder.room(answering: { request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": "max-age=60"]
            guard request.fields["If-None-Match"] == nil else {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(PlainDecoder.data()))
        })
        let first = try await room.loader.fetch(request([:]))
        let confirmed = request(["Cache-Control": ByteString(directive)])
        let mustAsk = !directive.hasPrefix("max-age=5")
        #expect(room.loader.cachedImage(for: confirmed) == nil)
        let response = try await room.loader.response(for: confirmed)
        #expect(response.origin == (mustAsk ? .revalidated : .disk))
        #expect(response.bitmap.isIdentical(to: first))
        #expect(room.decoder.decodeCount == 1)
        #expect(room.transport.requestCount == (mustAsk ? 2 : 1))
        // Its image serves all requests: the directive is not part of an image's key.
        #expect(room.loader.cachedImage(for: request([:]))?.isIdentical(to: first) == true)
    }

    @Test func `only-if-cached is answered from memory`() async throws {
        let room = LoaderFixture()
        _ = try await room.loader.fetch(request([:]))
        #expect(room.loader.cachedImage(for: request(["Cache-Control": "only-if-cached"])) != nil)
    }

    @Test(arguments: [nil, "photo 1"] as [String?])
    func `a part is not the image, under the caller's key no more than under the URL`(key: String?) async throws {
        let room = LoaderFixture(answering: { request in
            guard request.fields["Range"] != nil else { return .picture(request, blue: 1) }
            var part = HTTPResponse.picture(request, blue: 2)
            part.status = 206
            part.fields["Content-Range"] = "bytes 0-9/100"
            return part
        })
        var part = request(["Range": "bytes=0-9"])
        var whole = request([:])
        part.cacheKey = key
        whole.cacheKey = key
        #expect(try await room.loader.fetch(part).blue == 2)
        #expect(try await room.loader.fetch(whole).blue == 1)
        #expect(room.transport.requestCount == 2)
    }

    @Test func `the caller's key stands in for all fields but Range`() async throws {
        let room = LoaderFixture()
        var signed = request(["X-Signature": "a", "Accept-Language": "de"])
        signed.cacheKey = "photo 1"
        _ = try await room.loader.fetch(signed)
        signed.source = .request(HTTPRequest(.photo(2), fields: ["X-Signature": "b"]))
        #expect(room.loader.cachedImage(for: signed) != nil)
    }

    /// The request that followed a stored redirect used to find it again under the same key: "more than 10 redirects".
    @Test(arguments: [301, 302, 307, 308])
    func `under the caller's key a redirect is followed, and only the answer behind it is stored`(status: Int)
        async throws
    {
        let origin = try OriginServer()
        var redirect = OriginReply.redirect(to: "/final", status: status)
        redirect.fields["Cache-Control"] = "max-age=600"
        origin.on("/signed", redirect)
        var final = OriginReply.ok(PlainDecoder.data(blue: 7))
        final.fields["Cache-Control"] = "max-age=60"
        origin.on("/final", final)
        func loader() -> ImageLoader {
            var options = ImageLoaderOptions.ephemeral
            options.decoders.register(PlainDecoder())
            options.disk = .store(DiskStore(directory: folder.path))
            return ImageLoader(options)
        }
        var request = ImageRequest(origin.url("/signed"))
        request.cacheKey = "photo 7"
        let first = loader()
        #expect(try await first.fetch(request).blue == 7)
        try await first.diskStore?.flush()
        #expect(try await first.diskStore?.list().count == 1)
        request.source = .url(origin.url("/signed?signature=2"))
        #expect(try await loader().response(for: request).origin == .disk)
        #expect(origin.requestCount() == 2)
    }
}
