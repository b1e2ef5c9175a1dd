import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import TestSupport
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

/// The HTTP cache from the view of a loader's user: S4.10–S4.13, C9 and C14.
@Suite struct HTTPCachingTests {
    /// A server with one tagged image, which counts requests by kind.
    private final class Server: Sendable {
        struct State {
            var blue: UInt8 = 1
            var control = "max-age=60"
            var isUp = true
            var requests: [HTTPRequest] = []
        }

        let state = Locked(State())

        var requests: [HTTPRequest] { state.withLock { $0.requests } }

        func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

        func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
            let state = state.withLock { state in
                state.requests.append(request)
                return state
            }
            guard state.isUp else { throw TransportError(.cannotConnect, "nobody listens") }
            var fields: HTTPFields = ["ETag": "\"\(state.blue)\"", "Cache-Control": ByteString(state.control)]
            if request.fields["If-None-Match"] == "\"\(state.blue)\"" {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            let data = PlainDecoder.data(4, 3, blue: state.blue)
            fields["Content-Length"] = "\(data.count)"
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
    }

    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let server = Server()

    private func room() -> LoaderFixture {
        folder.room(clock: clock, answering: { [server] request throws(TransportError) in try server.answer(request) })
    }

    private let photo = ImageRequest(.photo())

    @Test(.requirement("S4.11", "D0.15"))
    func `fresh by max-age, an image is shown from memory and disk without a request; then the server is asked`()
        async throws
    {
        let room = room()
        #expect(try await room.loader.response(for: photo).origin == .network)
        try await room.loader.diskStore?.flush()
        clock.advance(by: .seconds(59))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        #expect(try await self.room().loader.response(for: photo).origin == .disk)
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(1))
        // After its deadline a hit is no longer synchronous.
        #expect(room.loader.cachedImage(for: photo) == nil)
        _ = try await room.loader.response(for: photo)
        #expect(server.requests.count == 2)
    }

    @Test(.requirement("S4.12", "B59"))
    func `unchanged, the server says so, and the bitmap in memory is shown again without decoding`() async throws {
        let room = room()
        let first = try await room.loader.response(for: photo)
        clock.advance(by: .seconds(61))
        let second = try await room.loader.response(for: photo)
        #expect(second.origin == .revalidated)
        #expect(second.validator == "\"1\"")
        #expect(second.bitmap.isIdentical(to: first.bitmap))
        #expect(room.decoder.decodeCount == 1)
        #expect(server.requests.last?.fields["If-None-Match"] == "\"1\"")
        // Fresh again, at once and without a request.
        #expect(room.loader.cachedImage(for: photo) != nil)
        #expect(server.requests.count == 2)
    }

    @Test func `an image with steps is confirmed as a whole: neither decoded nor processed again`() async throws {
        let room = room()
        var round = photo
        round.steps = [ImageSteps.RoundedCorners(radius: 1)]
        let first = try await room.loader.response(for: round)
        clock.advance(by: .seconds(61))
        let second = try await room.loader.response(for: round)
        #expect(second.origin == .revalidated && second.bitmap.isIdentical(to: first.bitmap))
        #expect(room.decoder.decodeCount == 1)
    }

    @Test func `the image changed behind the same URL: what comes is decoded, shown and stored`() async throws {
        let room = room()
        _ = try await room.loader.fetch(photo)
        server.change { $0.blue = 2 }
        clock.advance(by: .seconds(61))
        let response = try await room.loader.response(for: photo)
        #expect(response.origin == .network && response.bitmap.blue == 2)
        try await room.loader.diskStore?.flush()
        #expect(try await self.room().loader.fetch(photo).blue == 2)
        #expect(server.requests.count == 2)
    }

    @Test func `within stale-while-revalidate memory answers at once, and one request brings what is next shown`()
        async throws
    {
        server.change { $0.control = "max-age=60, stale-while-revalidate=100" }
        let room = room()
        _ = try await room.loader.fetch(photo)
        server.change { $0.blue = 2 }
        clock.advance(by: .seconds(70))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        #expect(try await room.loader.response(for: photo).origin == .memory)
        await waitUntil { room.loader.cachedImage(for: photo)?.blue == 2 }
        #expect(server.requests.count == 2)
        clock.advance(by: .seconds(500))
        #expect(room.loader.cachedImage(for: photo) == nil)
    }

    /// The old image used to be removed before the new one was ready, so that a lookup in between found nothing.
    @Test func `within stale-while-revalidate the old image is shown until the new one has been decoded`() async throws
    {
        server.change { $0.control = "max-age=60, stale-while-revalidate=100" }
        let (pause, decodes) = (CodecPause(), Counter())
        let room = LoaderFixture(
            decodeHook: { if decodes.next() == 2 { pause.stop() } },
            options: {
                $0.disk = .store(DiskStore(directory: folder.path, wallClock: clock.wall))
                $0.wallClock = clock.wall
            }, answering: { [server] request throws(TransportError) in try server.answer(request) })
        _ = try await room.loader.fetch(photo)
        server.change { $0.blue = 2 }
        clock.advance(by: .seconds(70))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        await pause.waitUntilStopped()
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        pause.goOn()
        await waitUntil { room.loader.cachedImage(for: photo)?.blue == 2 }
    }

    /// The refresh used to revalidate the image, throw the response's body away and request it again.
    @Test(.timeLimit(.minutes(5)))
    func `without a disk store a refresh loads the image once`() async throws {
        server.change { $0.control = "max-age=60, stale-while-revalidate=100" }
        let room = LoaderFixture(
            options: { $0.wallClock = clock.wall },
            answering: { [server] request throws(TransportError) in try server.answer(request) })
        _ = try await room.loader.fetch(photo)
        server.change { $0.blue = 2 }
        clock.advance(by: .seconds(70))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        await waitUntil { room.loader.cachedImage(for: photo)?.blue == 2 }
        await waitUntil { room.loader.statistics.images == 0 && room.loader.statistics.sources == 0 }
        #expect(server.requests.count == 2)
    }

    /// Memory used to compare only with the end of freshness, which a clock set back does not reach for years.
    @Test(arguments: ["max-age=60", "max-age=60, stale-while-revalidate=100"])
    func `after the clock was set back three years, the server is asked, once`(_ control: String) async throws {
        server.change { $0.control = control }
        let time = Locked(1_767_225_600.0)
        let room = LoaderFixture(
            options: { $0.wallClock = WallClock { time.withLock { $0 } } },
            answering: { [server] request throws(TransportError) in try server.answer(request) })
        _ = try await room.loader.fetch(photo)
        time.withLock { $0 -= 3 * 365 * 86_400 }
        #expect(room.loader.cachedImage(for: photo) == nil)
        server.change { $0.blue = 2 }
        #expect(try await room.loader.fetch(photo).blue == 2)
        #expect(room.loader.cachedImage(for: photo)?.blue == 2)
        #expect(server.requests.count == 2)
    }

    /// The cache used to collect the body outside the room, under a separate limit.
    @Test(.timeLimit(.minutes(1)))
    func `a body that a revalidation in the background brings counts in the room until it is stored`() async throws {
        server.change { $0.control = "max-age=60, stale-while-revalidate=100" }
        try await room().fetchAndFlush(photo)
        clock.advance(by: .seconds(70))
        let gate = Gate()
        let data = PlainDecoder.data(5, 3, blue: 2)
        let later = folder.room(
            clock: clock,
            answering: { request in
                HTTPResponse(
                    url: request.url, status: 200,
                    fields: ["Content-Length": "\(data.count)", "Cache-Control": "max-age=60"],
                    body: .chunks(of: data, size: 4, gate: gate))
            })
        #expect(try await later.loader.response(for: photo).origin == .stale)
        gate.open(count: 1)
        await waitUntil { later.loader.statistics.undecodedBytes == 4 }
        gate.open()
        await waitUntil { later.loader.statistics.undecodedBytes == 0 }
        try await later.loader.diskStore?.flush()
        #expect(try await self.room().loader.fetch(photo).blue == 2)
    }

    @Test(.requirement("D4.16"))
    func `offline, what is stored is shown though its time has run out, and back online the server is asked again`()
        async throws
    {
        let room = room()
        _ = try await room.loader.fetch(photo)
        clock.advance(by: .seconds(3600))
        server.change { $0.isUp = false }
        let stale = try await room.loader.response(for: photo)
        #expect(stale.origin == .stale && stale.bitmap.blue == 1)
        #expect((stale.age ?? .zero) >= .seconds(3600))
        server.change { $0.isUp = true }
        #expect(try await room.loader.response(for: photo).origin == .revalidated)
    }

    @Test(.requirement("S4.10")) func `each policy, before and after the image's time has run out`() async throws {
        var offline = photo
        offline.policy = .returnCacheDontLoad
        #expect(await imageError { try await self.room().loader.fetch(offline) }?.code == .notInCache)
        #expect(server.requests.isEmpty)
        try await room().fetchAndFlush(photo)
        clock.advance(by: .seconds(61))
        var anyAge = photo
        anyAge.policy = .returnCacheElseLoad
        #expect(try await room().loader.response(for: anyAge).origin == .stale)
        #expect(try await room().loader.response(for: offline).origin == .stale)
        #expect(server.requests.count == 1)
        var reload = photo
        reload.policy = .reloadIgnoringCache
        let reloading = room()
        #expect(try await reloading.loader.response(for: reload).origin == .network)
        try await reloading.loader.diskStore?.flush()
        #expect(server.requests.last?.fields["If-None-Match"] == nil)
        #expect(try await room().loader.response(for: photo).origin == .disk)
        #expect(server.requests.count == 2)
    }

    @Test
    func
        `what says nothing of its freshness is asked for again by the next process, and kept for those who take any age`()
        async throws
    {
        server.change { $0.control = "" }
        let plain: FakeTransport.Answer = { request in
            HTTPResponse(url: request.url, status: 200, body: HTTPBody(PlainDecoder.data()))
        }
        func room() -> LoaderFixture { folder.room(clock: clock, answering: plain) }
        let first = room()
        try await first.fetchAndFlush(photo)
        clock.advance(by: .seconds(3600))
        // This process continues to show it, and asks in the background: a wait each time would make every view flicker.
        #expect(first.loader.cachedImage(for: photo) != nil)
        #expect(try await room().loader.response(for: photo).origin == .network)
        var anyAge = photo
        anyAge.policy = .returnCacheElseLoad
        #expect(try await room().loader.response(for: anyAge).origin == .stale)
    }

    @Test(.requirement("C14", "D0.14")) func `one user's image is not another's, on disk no more than in memory`()
        async throws
    {
        func request(_ user: String) -> ImageRequest {
            var http = HTTPRequest(.photo())
            http.fields["Authorization"] = ByteString(user)
            return ImageRequest(source: .request(http))
        }
        try await room().fetchAndFlush(request("Anna"))
        server.change { $0.blue = 2 }
        let second = room()
        try await second.fetchAndFlush(request("Bert"))
        #expect(second.loader.cachedImage(for: request("Bert"))?.blue == 2)
        #expect(try await room().loader.fetch(request("Anna")).blue == 1)
        #expect(server.requests.count == 2)
        let names = try await DiskStore(directory: folder.path).list().map(\.key)
        #expect(names.count == 2 && !names.joined().contains("Anna"))
    }

    /// Returns a fixture whose server answers 404, with these fields.
    private func roomWithout(
        _ fields: HTTPFields = [:], options change: (inout ImageLoaderOptions) -> Void = { _ in }
    ) -> LoaderFixture {
        folder.room(
            clock: clock, options: change,
            answering: { request in
                var response = HTTPResponse(url: request.url, status: 404, fields: fields)
                response.fields["Content-Length"] = "0"
                return response
            })
    }

    private func fetchFails(_ room: LoaderFixture, _ request: ImageRequest) async -> Bool {
        await imageError { try await room.loader.fetch(request) }?.status == 404
    }

    /// For ten seconds after a 404 the loader used to send nothing, even for the user's retries.
    @Test(arguments: [[:], ["Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"]] as [HTTPFields])
    func `after a 404 asking again asks the server again`(fields: HTTPFields) async throws {
        let room = roomWithout(fields)
        for _ in 0..<3 { #expect(await fetchFails(room, photo)) }
        #expect(room.transport.requestCount == 3)
    }

    @Test func `failures are remembered for as long as the caller says, so that broken links do not hammer a server`()
        async throws
    {
        let room = roomWithout(options: { $0.cacheRules.negativeLifetime = .seconds(10) })
        for _ in 0..<3 { #expect(await fetchFails(room, photo)) }
        #expect(room.transport.requestCount == 1)
        clock.advance(by: .seconds(11))
        #expect(await fetchFails(room, photo))
        #expect(room.transport.requestCount == 2)
    }

    @Test func `a 404 with a max-age lasts as long as its origin says, but a retry asks`() async throws {
        let room = roomWithout(["Cache-Control": "max-age=60"])
        for _ in 0..<3 { #expect(await fetchFails(room, photo)) }
        #expect(room.transport.requestCount == 1)
        var retry = photo
        retry.policy = .revalidate
        #expect(await fetchFails(room, retry))
        #expect(room.transport.requestCount == 2)
        #expect(room.transport.requests.last?.fields["Cache-Control"] == "no-cache")
        clock.advance(by: .seconds(61))
        #expect(await fetchFails(room, photo))
        #expect(room.transport.requestCount == 3)
    }

    /// Any age used to be accepted for failures, too: the 404 was shown for ever.
    @Test func `returnCacheElseLoad replays a 404 only for as long as its origin says`() async throws {
        let room = roomWithout(["Cache-Control": "max-age=60"])
        var anyAge = photo
        anyAge.policy = .returnCacheElseLoad
        var offline = photo
        offline.policy = .returnCacheDontLoad
        for _ in 0..<2 { #expect(await fetchFails(room, anyAge)) }
        #expect(room.transport.requestCount == 1)
        #expect(await fetchFails(room, offline))
        clock.advance(by: .seconds(61))
        #expect(await imageError { try await room.loader.fetch(offline) }?.code == .notInCache)
        #expect(await fetchFails(room, anyAge))
        #expect(room.transport.requestCount == 2)
        // An image published meanwhile is loaded.
        try await room.loader.diskStore?.flush()
        clock.advance(by: .seconds(61))
        #expect(try await self.room().loader.fetch(anyAge).blue == 1)
    }

    @Test func `revalidate asks the origin for what is fresh, and shows what it confirms`() async throws {
        let room = room()
        let first = try await room.loader.fetch(photo)
        var again = photo
        again.policy = .revalidate
        #expect(room.loader.cachedImage(for: again) == nil)
        let second = try await room.loader.response(for: again)
        #expect(second.origin == .revalidated && second.bitmap.isIdentical(to: first))
        #expect(room.decoder.decodeCount == 1)
        server.change { $0.blue = 2 }
        #expect(try await room.loader.fetch(again).blue == 2)
        #expect(room.loader.cachedImage(for: photo)?.blue == 2)
        #expect(server.requests.count == 3)
        let custom = ImageSource.custom(id: "1") { PlainDecoder.data(blue: 3) }
        _ = try await room.loader.fetch(ImageRequest(source: custom))
        let asked = Counter()
        let newer = ImageSource.custom(id: "1") {
            asked.next()
            return PlainDecoder.data(blue: 4)
        }
        #expect(try await room.loader.fetch(ImageRequest(source: newer, policy: .revalidate)).blue == 4)
        #expect(asked.count == 1)
    }

    // Only a request without own directives used to be revalidated.
    @Test(arguments: ["no-transform", "max-stale", "max-stale=1000, no-transform", "max-age=1000", "\""])
    func `revalidate asks the origin, whatever the request's own Cache-Control says`(directives: String) async throws {
        let room = room()
        let source = ImageSource.request(HTTPRequest(.photo(), fields: ["Cache-Control": ByteString(directives)]))
        _ = try await room.loader.fetch(ImageRequest(source: source))
        let again = ImageRequest(source: source, policy: .revalidate)
        #expect(try await room.loader.response(for: again).origin == .revalidated)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.fields.values(of: "Cache-Control") == [ByteString(directives), "no-cache"])
    }

    // cache-tests.fyi: conditional-304-etag.
    @Test func `a 304 to a condition of the caller's own is a status without an image`() async throws {
        let origin = try OriginServer()
        origin.on("/a") { request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": "max-age=60"]
            return request.fields["If-None-Match"] == nil
                ? OriginReply(fields: fields, body: PlainDecoder.data(4, 3, blue: 1))
                : OriginReply(status: 304, fields: fields)
        }
        let transport = CurlTransport()
        let room = folder.room(answering: { request throws(TransportError) in try await transport.send(request) })
        let source = ImageSource.request(HTTPRequest(origin.url("/a"), fields: ["If-None-Match": "\"1\""]))
        for asked in 1...3 {
            let error = await #expect(throws: ImageError.self) {
                try await room.loader.fetch(ImageRequest(source: source))
            }
            #expect(error?.code == .badStatus && error?.status == 304)
            let response = try await room.loader.dataResponse(for: ImageRequest(origin.url("/a")))
            #expect(response.validator == "\"1\"" && response.fields["ETag"] == "\"1\"")
            #expect(origin.requestCount() == min(asked, 1) + 1)
        }
    }

    // cache-tests.fyi: interim-not-cached.
    @Test func `an interim response is neither the image nor stored with it`() async throws {
        let image = PlainDecoder.data(4, 3, blue: 1)
        let heads =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nCache-Control: max-age=1\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(image.count)\r\n\r\n"
        let served = Locked(0)
        let raw = try RawListener { _ in
            served.withLock { $0 += 1 }
            return Array(heads.utf8) + image
        }
        defer { raw.stop() }
        let transport = CurlTransport()
        let room = folder.room(answering: { request throws(TransportError) in try await transport.send(request) })
        let request = ImageRequest(try #require(URL(string: "http://127.0.0.1:\(raw.port)/a")))
        for origin in [ImageResponse.Origin.network, .disk] {
            let response = try await room.loader.dataResponse(for: request)
            #expect(response.origin == origin && response.status == 200 && response.data == image)
            #expect(response.fields["Link"] == nil && response.fields["Cache-Control"] == "max-age=60")
        }
        #expect(served.withLock { $0 } == 1)
    }

    @Test(.requirement("B6", "B44"), arguments: [true, false])
    func `of those who share a download one wants it kept, and it is kept, whoever came first`(keeperFirst: Bool)
        async throws
    {
        let gate = Gate()
        let room = folder.room(gate: gate)
        var passing = photo
        passing.caching = [.readMemory, .writeMemory, .readDisk]
        var sized = photo
        sized.size = ResizeTarget(width: 2)
        let requests = keeperFirst ? [sized, passing] : [passing, sized]
        var tasks: [Task<Int, any Error>] = []
        for (index, request) in requests.enumerated() {
            tasks.append(Task { try await room.loader.fetch(request).width })
            await room.waitForWaiters(images: index + 1, sources: index + 1)
        }
        gate.open()
        for task in tasks { _ = try await task.value }
        #expect(room.transport.requestCount == 1)
        #expect(try await room.loader.diskStore?.list().count == 1)
    }

    @Test func `Accept says what the decoders read, unless the request says it itself`() async throws {
        let loader = room().loader
        _ = try await loader.fetch(photo)
        let field = try #require(server.requests.first?.fields["Accept"])
        for type in ["image/jpeg", "image/png", "image/webp", "image/gif"] { #expect(field.contains(ByteString(type))) }
        var http = HTTPRequest(.photo(2))
        http.fields["Accept"] = "image/png"
        _ = try await loader.fetch(ImageRequest(source: .request(http)))
        #expect(server.requests.last?.fields["Accept"] == "image/png")
    }

    @Test func `a caller's own key names the stored bytes too: another signature finds them`() async throws {
        func signed(_ signature: Int) -> ImageRequest {
            var request = ImageRequest(URL.photo("1?signature=\(signature)"))
            request.cacheKey = "photo 1"
            return request
        }
        try await room().fetchAndFlush(signed(1))
        #expect(try await room().loader.response(for: signed(2)).origin == .disk)
        #expect(server.requests.count == 1)
    }

    @Test(.requirement("B50"), arguments: [2, 0])
    func `a download that breaks off goes on where it broke off, by itself and in the next process`(resumptions: Int)
        async throws
    {
        let body = SamplePhotos.jpeg(width: 600, height: 400)
        let origin = try OriginServer()
        origin.on("/photo") { request in
            var fields: HTTPFields = ["ETag": "\"1\"", "Accept-Ranges": "bytes", "Cache-Control": "max-age=60"]
            guard let range = request.fields["Range"], request.fields["If-Range"] == "\"1\"",
                let start = Int(range.string.dropFirst("bytes=".count).dropLast())
            else { return OriginReply(fields: fields, body: body).droppedAfter(bytes: body.count / 2) }
            fields["Content-Range"] = "bytes \(start)-\(body.count - 1)/\(body.count)"
            return OriginReply(status: 206, fields: fields, body: body[start...])
        }
        func loader() -> ImageLoader {
            var options = ImageLoaderOptions.ephemeral
            options.disk = .store(DiskStore(directory: folder.path))
            options.resumptions = resumptions
            return ImageLoader(options)
        }
        let first = loader()
        let request = ImageRequest(origin.url("/photo"))
        if resumptions == 0 {
            #expect(await imageError { try await first.fetch(request) } != nil)
            try await first.diskStore?.flush()
            #expect(try await loader().fetch(request).width == 600)
        } else {
            #expect(try await first.fetch(request).width == 600)
        }
        #expect(origin.requestCount() == 2)
        let start = origin.requests.last?.fields["Range"].flatMap { Int($0.string.dropFirst(6).dropLast()) }
        #expect((start ?? 0) > 0)
    }
}
