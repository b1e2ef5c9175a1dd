import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Synchronization
import Testing
import Waiting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A program's hooks into a loader, between its caches and the wire.
@Suite struct LoaderHooksTests {
    private let folder = TemporaryFolder()

    private struct NoToken: Error {}

    // MARK: prepare

    @Test func `prepare completes a request once for all who wait for its image, and not for one in memory`()
        async throws
    {
        let gate = Gate()
        let prepared = Counter()
        let room = LoaderFixture(options: {
            $0.prepare = { request in
                await gate.wait()
                prepared.next()
                var request = request
                request.fields["X-Session"] = "7"
                return request
            }
        })
        let loads = (0..<3).map { _ in Task { try await room.loader.fetch(URL.photo()) } }
        await waitUntil { room.loader.statistics.imageWaiters == 3 }
        gate.open()
        for load in loads { _ = try await load.value }
        _ = try await room.loader.fetch(URL.photo())
        #expect(prepared.count == 1)
        #expect(room.transport.requests.map { $0.fields["X-Session"] } == ["7"])
        #expect(room.loader.cachedImage(for: .photo()) != nil)
    }

    @Test func `a prepare that only computes is cancelled, and its caller returns`() async throws {
        let began = Gate()
        let room = LoaderFixture(options: {
            $0.prepare = { _ in
                began.open()
                while !Task.isCancelled {}
                throw CancellationError()
            }
        })
        let task = Task { try await room.loader.fetch(URL.photo()) }
        await began.wait()
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.value }
    }

    @Test func `prepare may name a local URL, whose image is local`() async throws {
        let local = "data:application/octet-stream;base64,\(PlainDecoder.data(8, 6, blue: 1).base64EncodedString())"
        let room = folder.room(options: {
            $0.storage = .all
            $0.prepare = { request in
                var request = request
                request.url = try #require(URL(string: local))
                request.fields["Authorization"] = "anna"
                return request
            }
        })
        let response = try await room.loader.response(for: ImageRequest(.photo(), size: ResizeTarget(width: 2)))
        #expect(response.origin == .source && response.validator == nil)
        #expect(room.loader.cachedImage(for: ImageRequest(.photo(), size: ResizeTarget(width: 2))) != nil)
        #expect(room.transport.requests.isEmpty)
    }

    @Test func `a scheme of the exchange's own gets the caller's key, and the flag for networks that save data`()
        async throws
    {
        let room = LoaderFixture(options: { $0.schemes.append("app") })
        var request = ImageRequest(try #require(URL(string: "app://photos/1")), cacheKey: "one")
        request.lowDataSource = .url(.photo())
        _ = try await room.loader.fetch(request)
        #expect(room.transport.requests.map(\.cacheKey) == ["one"])
        #expect(room.transport.requests.map(\.allowsConstrainedNetwork) == [false])
    }

    /// The order used to be applied twice, and errors named the prepared URL.
    @Test func `prepare may name a scheme of the exchange's own, which gets the policy's directive once`()
        async throws
    {
        let room = LoaderFixture(
            options: {
                $0.schemes.append("app")
                $0.prepare = { request in
                    var request = request
                    request.url = try #require(URL(string: "app://photos/1"))
                    return request
                }
            },
            answering: { request in HTTPResponse(url: request.url, status: 404) })
        var request = ImageRequest(.photo())
        request.policy = .revalidate
        let error = await imageError { try await room.loader.fetch(request) }
        #expect(error?.url == .photo())
        #expect(room.transport.requests.map { $0.fields["Cache-Control"] } == ["no-cache"])
        #expect(room.transport.requests.map(\.url.scheme) == ["app"])
    }

    @Test(arguments: [true, false])
    func `a loader that is released is gone, and what it stood on with it`(hasDisk: Bool) async throws {
        let isGone = try await load(in: hasDisk ? folder.room() : LoaderFixture())
        await waitUntil { isGone() }
    }

    private func load(in room: LoaderFixture) async throws -> @Sendable () -> Bool {
        weak let loader = room.loader
        weak let store = room.loader.diskStore
        _ = try await room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 2)))
        _ = try await room.loader.data(for: ImageRequest(.photo()))
        return { loader == nil && store == nil }
    }

    @Test func `an animation that is kept does not keep the disk store`() async throws {
        let (animation, isGone) = try await animation(
            in: folder.room(answering: { request in
                HTTPResponse(
                    url: request.url, status: 200, fields: ["Cache-Control": "max-age=1000"],
                    body: HTTPBody(SampleAnimations.gif(width: 8, height: 6, colors: [0xFF0000, 0x00FF00], delay: 7)))
            }))
        await waitUntil { isGone() }
        #expect(try await animation.frame(at: 1).width == 8)
    }

    private func animation(in room: LoaderFixture) async throws -> (ImageAnimation, @Sendable () -> Bool) {
        weak let store = room.loader.diskStore
        #expect(store != nil)
        let animation = try #require(try await room.loader.animation(for: ImageRequest(.photo())))
        return (animation, { store == nil })
    }

    @Test func `an image for which prepare says who asks stays out of memory, and is on disk for that user alone`()
        async throws
    {
        let user = Mutex("anna")
        let room = folder.room(options: {
            $0.prepare = { request in
                var request = request
                request.fields["Authorization"] = ByteString(user.withLock { $0 })
                return request
            }
        })
        let small = ImageRequest(.photo(), size: ResizeTarget(width: 2), steps: [CountingStep("a")])
        for request in [ImageRequest(.photo()), small] {
            _ = try await room.loader.fetch(request)
            #expect(room.loader.cachedImage(for: request) == nil)
        }
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .disk)
        #expect(room.transport.requestCount == 1)
        user.withLock { $0 = "bob" }
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
        // Removes the image stored for the requesting user.
        await room.loader.remove(ImageRequest(.photo()))
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .network)
        user.withLock { $0 = "anna" }
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .disk)
    }

    @Test func `what prepare throws fails the load and sends nothing`() async {
        let room = LoaderFixture(options: { $0.prepare = { _ in throw NoToken() } })
        let error = await imageError { try await room.loader.fetch(URL.photo()) }
        #expect(error?.code == .preparationFailed)
        #expect(error?.underlying is NoToken)
        #expect(room.transport.requestCount == 0)
        #expect(room.loader.statistics.images == 0)
    }

    @Test func `prepare cannot lead a request to a file`() async {
        let room = LoaderFixture(options: { $0.prepare = { _ in HTTPRequest(URL(filePath: "/etc/hostname")) } })
        #expect(await imageError { try await room.loader.fetch(URL.photo()) }?.code == .unsupportedScheme)
    }

    @Test(.requirement("B54"))
    func `a fetch that is cancelled while prepare waits sends nothing and leaves nothing behind`() async {
        let (entered, left) = (Gate(), Gate())
        let room = LoaderFixture(options: {
            $0.prepare = { request in
                entered.open()
                await left.wait()
                return request
            }
        })
        let load = Task { await imageError { try await room.loader.fetch(URL.photo()) } }
        await entered.wait()
        load.cancel()
        #expect(await load.value?.code == .cancelled)
        left.open()
        await waitUntil { room.loader.statistics.images == 0 && room.loader.statistics.sources == 0 }
        #expect(room.transport.requestCount == 0)
    }

    // MARK: Redirects

    private func redirecting(
        _ redirect: @escaping @Sendable (HTTPRequest, HTTPResponse) async -> HTTPRequest?
    ) -> LoaderFixture {
        LoaderFixture(options: { $0.redirect = redirect }) { request in
            guard request.url.path == "/old" else { return .picture(request) }
            return HTTPResponse(
                url: request.url, status: 302, fields: ["Location": "http://elsewhere.example/new"],
                body: HTTPBody(Data("moved".utf8)))
        }
    }

    @Test func `the decision on a redirect sees the next request and the head, and may decline`() async {
        let seen = Mutex([String]())
        let room = redirecting { next, response in
            seen.withLock {
                $0.append("\(response.status) \(response.url) \(next.url) \(response.body.whole?.count ?? -1)")
            }
            return nil
        }
        let error = await imageError { try await room.loader.fetch(URL.photo("old")) }
        #expect(error?.code == .redirectFailed)
        #expect(seen.withLock { $0 } == ["302 http://photos.example/old http://elsewhere.example/new 0"])
        #expect(room.transport.requestCount == 1)
    }

    @Test func `the decision on a redirect may send another request`() async throws {
        let room = redirecting { next, _ in
            var next = next
            next.fields["X-Hop"] = "1"
            return next
        }
        _ = try await room.loader.fetch(URL.photo("old"))
        #expect(room.transport.requests.map(\.url.path) == ["/old", "/new"])
        #expect(room.transport.requests.map { $0.fields["X-Hop"] } == [nil, "1"])
    }

    @Test func `a redirect is not followed to a file, whatever the decision`() async {
        let room = redirecting { _, _ in HTTPRequest(URL(filePath: "/etc/hostname")) }
        #expect(await imageError { try await room.loader.fetch(URL.photo("old")) } != nil)
        #expect(room.transport.requestCount == 1)
    }

    // A token that `defaultFields` gave for one host used to reach the host of a redirect.
    @Test func `default fields of one host do not follow a redirect to another, which gets its own`() async throws {
        let room = LoaderFixture(options: { options in
            options.defaultFields = { url in
                switch url.host() {
                case "photos.example": ["X-Key": "photos", "X-Own": "default", "Authorization": "photos"]
                case "elsewhere.example": ["X-Key": "elsewhere"]
                default: [:]
                }
            }
        }) { request in
            switch request.url.absoluteString {
            case "http://photos.example/old": HTTPResponse(url: request.url, status: 302, fields: ["Location": "/new"])
            case "http://photos.example/new":
                HTTPResponse(url: request.url, status: 302, fields: ["Location": "http://elsewhere.example/a"])
            case "http://elsewhere.example/a":
                HTTPResponse(url: request.url, status: 302, fields: ["Location": "http://third.example/b"])
            default: .picture(request)
            }
        }
        var request = HTTPRequest(URL.photo("old"))
        request.fields["x-own"] = "request"
        _ = try await room.loader.fetch(ImageRequest(source: .request(request)))
        let sent = room.transport.requests
        #expect(sent.map { $0.fields["X-Key"] } == ["photos", "photos", "elsewhere", nil])
        #expect(sent.map { $0.fields["Authorization"] } == ["photos", "photos", nil, nil])
        #expect(sent.map { $0.fields["X-Own"] } == ["request", "request", "request", "request"])
    }

    @Test func `an image behind a redirect to a host with another token is for that user alone`() async throws {
        let token = Locked<ByteString>("anna")
        let room = LoaderFixture(options: { options in
            options.defaultFields = { url in
                url.host() == "elsewhere.example" ? ["X-Token": token.withLock { $0 }] : [:]
            }
        }) { request in
            request.url.host() == "photos.example"
                ? HTTPResponse(url: request.url, status: 302, fields: ["Location": "http://elsewhere.example/a"])
                : .picture(request)
        }
        _ = try await room.loader.fetch(URL.photo())
        #expect(room.loader.cachedImage(for: .photo()) == nil)
        token.withLock { $0 = "bob" }
        _ = try await room.loader.fetch(URL.photo())
        #expect(room.transport.requests.map { $0.fields["X-Token"] } == [nil, "anna", nil, "bob"])
    }

    // MARK: The rate of requests

    private func limited(_ clock: ManualClock, gate: Gate = Gate(isOpen: true), downloads: Int = 32) -> LoaderFixture {
        LoaderFixture(
            gate: gate,
            options: {
                $0.requestsPerSecond = 10
                $0.requestBurst = 2
                $0.downloads = downloads
                $0.clock = clock
            })
    }

    @Test(.requirement("B55"))
    func `a burst goes out at once, what follows at the steady rate; custom sources do not count`() async throws {
        let clock = ManualClock()
        let room = limited(clock)
        for number in 0..<2 { _ = try await room.loader.fetch(URL.photo(number)) }
        for number in 0..<5 {
            let source = ImageSource.custom(id: "\(number)") { PlainDecoder.data() }
            _ = try await room.loader.fetch(ImageRequest(source: source))
        }
        let third = Task { try await room.loader.fetch(URL.photo(3)) }
        await clock.waitForSleepers(1)
        #expect(room.transport.requestCount == 2)
        clock.advance(by: .milliseconds(100))
        _ = try await third.value
        // Memory hits do not count either.
        _ = try await room.loader.fetch(URL.photo(3))
        #expect(room.transport.requestCount == 3)
    }

    @Test(.requirement("B55")) func `what is cancelled while it waits takes nothing of the rate`() async throws {
        let clock = ManualClock()
        let room = limited(clock)
        for number in 0..<2 { _ = try await room.loader.fetch(URL.photo(number)) }
        let cancelled = Task { await imageError { try await room.loader.fetch(URL.photo(3)) } }
        await clock.waitForSleepers(1)
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        let next = Task { try await room.loader.fetch(URL.photo(4)) }
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        clock.advance(by: .milliseconds(100))
        _ = try await next.value
        #expect(room.transport.requests.map(\.url.path) == ["/0", "/1", "/4"])
    }

    @Test func `requests that waited for a place while tokens came do not go out in a larger burst`() async throws {
        let (clock, gate) = (ManualClock(), Gate())
        let room = limited(clock, gate: gate, downloads: 1)
        let loads = (0..<5).map { number in Task { try await room.loader.fetch(URL.photo(number)) } }
        await room.transport.waitForRequests(1)
        await waitUntil { room.loader.statistics.downloadQueue == 4 }
        // Enough time for all five, but no more than the burst is saved up.
        clock.advance(by: .seconds(10))
        gate.open()
        await clock.waitForSleepers(1)
        #expect(room.transport.requestCount == 3)
        clock.advance(by: .milliseconds(100))
        await clock.waitForSleepers(1)
        #expect(room.transport.requestCount == 4)
        clock.advance(by: .milliseconds(100))
        for load in loads { _ = try await load.value }
    }

    // MARK: Policy and exchange

    @Test func `requests without a policy take that of the loader`() async throws {
        let room = folder.room(options: { $0.policy = .returnCacheDontLoad })
        #expect(await imageError { try await room.loader.fetch(URL.photo()) }?.code == .notInCache)
        let missing = await imageError { try await room.loader.fetch(URLRequest(url: .photo())) }
        #expect(missing?.code == .notInCache)
        _ = try await room.loader.fetch(ImageRequest(.photo(), policy: .useProtocol))
        #expect(try await room.loader.response(for: ImageRequest(.photo())).origin == .memory)
        // A policy that reads no cache shows nothing from memory.
        let reloading = LoaderFixture(options: { $0.policy = .reloadIgnoringCache })
        for _ in 0..<2 { _ = try await reloading.loader.fetch(URL.photo()) }
        #expect(reloading.transport.requestCount == 2)
        #expect(reloading.loader.cachedImage(for: .photo()) == nil)
    }

    @Test func `a layer around the exchange signs each try, and the signature is part of no key`() async throws {
        let tries = Counter()
        let fake = FakeTransport { request in
            tries.next() == 1
                ? HTTPResponse(url: request.url, status: 503, fields: ["Retry-After": "0"]) : .picture(request)
        }
        let signatures = Counter()
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        options.transport = fake.authorized { request in
            var request = request
            request.fields["Authorization"] = "signature \(signatures.next())"
            return request
        }
        let loader = ImageLoader(options)
        _ = try await loader.fetch(URL.photo())
        #expect(fake.requests.map { $0.fields["Authorization"] } == ["signature 1", "signature 2"])
        #expect(loader.cachedImage(for: .photo()) != nil)
    }
}
