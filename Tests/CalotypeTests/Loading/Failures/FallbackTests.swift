import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

/// A request's alternatives when its source fails: B56–B60.
@Suite struct FallbackTests {
    private let folder = TemporaryFolder()

    /// Answers by path: a number is that status, a word is a failure or a kind of body, and any other path is an image.
    private func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        let path = request.url.lastPathComponent
        if let status = Int(path) { return HTTPResponse(url: request.url, status: status) }
        switch path {
        case "offline": throw TransportError(.cannotConnect, "no network")
        case "slow": throw .timedOut
        case "text": return HTTPResponse(url: request.url, status: 200, body: HTTPBody(Data("a page".utf8)))
        case "large" where !request.allowsConstrainedNetwork:
            throw TransportError(.networkConstrained, "the user saves data")
        case "small": return .picture(request, blue: 1)
        default: return .picture(request)
        }
    }

    private func room(_ change: (inout ImageLoaderOptions) -> Void = { _ in }) -> LoaderFixture {
        LoaderFixture(options: change, answering: answer)
    }

    private func photo(_ name: String, or alternatives: String...) -> ImageRequest {
        var request = ImageRequest(.photo(name))
        request.alternatives = alternatives.map { .url(.photo($0)) }
        return request
    }

    // MARK: Alternatives

    @Test(.requirement("B57")) func `alternatives are tried in order, and what succeeds is cached as what it is`()
        async throws
    {
        let room = room()
        let request = photo("404", or: "text", "offline", "small", "never")
        #expect(try await room.loader.fetch(request).blue == 1)
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["404", "text", "offline", "small"])
        #expect(room.loader.cachedImage(for: .photo("small")) != nil)
        #expect(room.loader.cachedImage(for: request) == nil)
        // Nor are the bytes.
        let bytes = try await room.loader.dataResponse(for: photo("404", or: "small"))
        #expect(bytes.url == .photo("small"))
    }

    @Test(.requirement("B57")) func `if all fail, the error is that of the first, with those of the others in order`()
        async
    {
        let room = room()
        let error = await imageError { try await room.loader.fetch(photo("404", or: "text", "500")) }
        #expect(error?.status == 404)
        #expect(error?.alternativeErrors.map(\.code) == [.notAnImage, .badStatus])
        #expect(error?.alternativeErrors.last?.status == 500)
        let alone = await imageError { try await room.loader.fetch(photo("404")) }
        #expect(alone?.alternativeErrors.isEmpty == true)
    }

    @Test(.requirement("B57")) func `an observer hears of the change to another source before that has answered`()
        async throws
    {
        let gate = Gate()
        let room = LoaderFixture { request throws(TransportError) in
            if request.url.lastPathComponent == "small" { await gate.wait() }
            return try answer(request)
        }
        var failures: [Int?] = []
        for try await event in room.loader.events(for: photo("404", or: "small")) {
            guard let failure = event.failure else { continue }
            failures.append(failure.status)
            #expect(room.loader.cachedImage(for: .photo("small")) == nil)
            gate.open()
        }
        #expect(failures == [404])
    }

    @Test(.requirement("B57"))
    @MainActor func `a fetch that went on to an alternative is cancelled like any other, and tries no further one`()
        async
    {
        let gate = Gate()
        let room = LoaderFixture { request throws(TransportError) in
            if request.url.lastPathComponent == "small" { await gate.wait() }
            if Task.isCancelled { throw .cancelled }
            return try answer(request)
        }
        let fetch = room.loader.fetch(photo("404", or: "small", "never")) { _ in Issue.record("was cancelled") }
        await room.transport.waitForRequests(2)
        fetch.cancel()
        gate.open()
        await waitUntil { room.loader.statistics.images == 0 && room.transport.inFlight == 0 }
        #expect(room.transport.requestCount == 2)
    }

    @Test func `an alternative shares its download with requests for it`() async throws {
        let gate = Gate()
        let room = LoaderFixture { request throws(TransportError) in
            if request.url.lastPathComponent == "small" { await gate.wait() }
            return try answer(request)
        }
        let own = Task { try await room.loader.fetch(URL.photo("small")) }
        await room.transport.waitForRequests(1)
        let alternative = Task { [request = photo("404", or: "small")] in try await room.loader.fetch(request) }
        await waitUntil { room.loader.statistics.imageWaiters == 2 && room.transport.requestCount == 2 }
        gate.open()
        _ = try await (own.value, alternative.value)
        #expect(room.transport.requestCount == 2)
    }

    // MARK: Saving data

    @Test(.requirement("B58"))
    func `where the user saves data, the low-data source takes the image's place, and then the alternatives`()
        async throws
    {
        let room = room()
        var request = photo("large", or: "other")
        request.lowDataSource = .url(.photo("small"))
        #expect(try await room.loader.fetch(request).blue == 1)
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["large", "small"])
        request.lowDataSource = .url(.photo("500"))
        #expect(try await room.loader.fetch(request).blue == 200)
        #expect(room.transport.requests.map(\.url.lastPathComponent).suffix(3) == ["large", "500", "other"])
    }

    @Test(.requirement("B58")) func `another failure does not lead to the low-data source`() async {
        let room = room()
        var request = photo("404")
        request.lowDataSource = .url(.photo("small"))
        #expect(await imageError { try await room.loader.fetch(request) }?.status == 404)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B58"))
    func `what is cached of the image is shown while the user saves data, and a request that does not care loads it`()
        async throws
    {
        let room = folder.room(answering: answer)
        var saving = photo("large")
        saving.lowDataSource = .url(.photo("small"))
        saving.caching.remove([.readMemory, .writeMemory])
        #expect(try await room.loader.fetch(saving).blue == 1)
        #expect(try await room.loader.fetch(photo("large")).blue == 200)
        #expect(try await room.loader.fetch(saving).blue == 200)
    }

    @Test func `a request that saves data and one that does not share no failure`() async throws {
        let gate = Gate()
        let room = folder.room(answering: { request throws(TransportError) in
            await gate.wait()
            return try answer(request)
        })
        var saving = photo("large")
        saving.lowDataSource = .url(.photo("small"))
        let first = Task { [saving] in try await room.loader.fetch(saving).blue }
        await room.transport.waitForRequests(1)
        let second = Task { [request = photo("large")] in try await room.loader.fetch(request).blue }
        await room.transport.waitForRequests(2)
        gate.open()
        #expect(try await first.value == 1)
        #expect(try await second.value == 200)
    }

    // MARK: Waiting for a connection

    /// Returns a fixture without a connection until the given time.
    private func offline(_ clock: ManualClock, seconds: Int) -> LoaderFixture {
        LoaderFixture(options: { $0.clock = clock }) { request throws(TransportError) in
            guard clock.wall.now >= ManualClock().wall.now + Double(seconds) else {
                throw TransportError(.cannotFindHost, "no network")
            }
            return .picture(request)
        }
    }

    @Test(.requirement("B56"))
    func `a request that waits for a connection is tried again until there is one, prefetched or not`() async throws {
        let clock = ManualClock()
        let room = offline(clock, seconds: 8)
        var request = ImageRequest(.photo())
        request.waitsForConnectivity = true
        let load = Task { [request] in try await room.loader.fetch(request) }
        var other = ImageRequest(.photo(2))
        other.waitsForConnectivity = true
        let prefetcher = Prefetcher(loader: room.loader)
        prefetcher.start([other])
        // Pauses of 1, 2, 4 and 5 seconds.
        for pause in [1, 2, 4, 5] {
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(pause))
        }
        #expect(try await load.value.blue == 200)
        await prefetcher.waitUntilIdle()
        #expect(room.loader.cachedImage(for: .photo(2)) != nil)
        #expect(room.transport.requestCount == 10)
    }

    @Test(.requirement("B56"))
    func `it gives up after the loader's timeout; a request that does not wait fails at once, beside it too`() async {
        let clock = ManualClock()
        let room = offline(clock, seconds: 100)
        var waiting = ImageRequest(.photo())
        waiting.waitsForConnectivity = true
        let load = Task { [waiting] in await imageError { try await room.loader.fetch(waiting) } }
        await clock.waitForSleepers(1)
        #expect(await imageError { try await room.loader.fetch(URL.photo()) }?.code == .connectionFailed)
        for pause in [1, 2, 4, 5, 5, 5, 5, 3] {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(pause))
        }
        #expect(await load.value?.code == .connectionFailed)
        #expect(clock.sleepers == 0)
    }

    @Test(.requirement("B56")) func `cancelled while it waits for a connection, it returns at once`() async {
        let clock = ManualClock()
        let room = offline(clock, seconds: 100)
        var request = ImageRequest(.photo())
        request.waitsForConnectivity = true
        let load = Task { [request] in await imageError { try await room.loader.fetch(request) } }
        await clock.waitForSleepers(1)
        load.cancel()
        #expect(await load.value?.code == .cancelled)
        await waitUntil { clock.sleepers == 0 }
    }

    // MARK: Remembering failures

    private func remembering(_ name: String) -> ImageRequest { remembering(.url(.photo(name))) }

    private func remembering(_ source: ImageSource, _ steps: [ImageSteps.CustomStep] = []) -> ImageRequest {
        var request = ImageRequest(source: source, steps: steps)
        request.failureMemory = .seconds(60)
        return request
    }

    @Test(.requirement("B60"), arguments: ["text", "404"])
    func `bad data and a missing image are not asked for again for a while`(name: String) async {
        let clock = ManualClock()
        let room = room { $0.wallClock = clock.wall }
        let first = await imageError { try await room.loader.fetch(remembering(name)) }
        #expect(await imageError { try await room.loader.fetch(remembering(name)) } == first)
        #expect(room.transport.requestCount == 1)
        // Bytes that are not an image are still bytes.
        let noBytes = await imageError { try await room.loader.data(for: remembering(name)) }
        #expect(noBytes == (name == "404" ? first : nil))
        #expect(room.transport.requestCount == (name == "404" ? 1 : 2))
        clock.advance(by: .seconds(60))
        let asked = room.transport.requestCount
        _ = await imageError { try await room.loader.fetch(remembering(name)) }
        #expect(room.transport.requestCount == asked + 1)
    }

    @Test(
        .requirement("B60"),
        arguments: [
            ImageError(.badStatus, "", status: 404), ImageError(.badStatus, "", status: 401),
            ImageError(.badStatus, "", status: 408), ImageError(.badStatus, "", status: 429),
            ImageError(.badStatus, "", status: 500), ImageError(.notAnImage, ""), ImageError(.damagedImage, ""),
            ImageError(.unsupportedImage, ""), ImageError(.imageTooLarge, ""), ImageError(.bodyTooLarge, ""),
            ImageError(.dataIsEmpty, ""), ImageError(.connectionFailed, ""), ImageError(.timedOut, ""),
            ImageError(.truncated, ""), ImageError(.decoderFailed, ""), ImageError(.redirectFailed, ""),
        ])
    func `the failures that are remembered are those that are permanent`(_ error: ImageError) async {
        let asked = Counter()
        let room = room()
        let source = ImageSource.custom(id: "a") {
            asked.next()
            throw error
        }
        for _ in 0..<2 {
            let failure = await imageError { try await room.loader.fetch(remembering(source)) }
            #expect(failure == error)
        }
        #expect(error.isPermanent == (asked.count == 1))
    }

    @Test(.requirement("B60"))
    func `a failed step is permanent, and fails no other request for its source`() async throws {
        let room = room()
        let steps = [ImageSteps.CustomStep(key: "fails") { _ in throw ImageError(.other, "no") }]
        let error = await imageError { try await room.loader.fetch(remembering(.url(.photo("good")), steps)) }
        #expect(error?.code == .stepFailed && error?.isPermanent == true)
        _ = try await room.loader.fetch(remembering("good"))
    }

    @Test(.requirement("B60"), arguments: ["offline", "slow", "503", "429"])
    func `no connection, a timeout and a busy server are not remembered`(name: String) async {
        let room = room()
        for _ in 0..<2 { _ = await imageError { try await room.loader.fetch(remembering(name)) } }
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B60"))
    func `by default no failure is remembered; who asks the origin, or removes the image, asks again`() async throws {
        let room = room()
        for _ in 0..<2 { _ = await imageError { try await room.loader.fetch(photo("404")) } }
        #expect(room.transport.requestCount == 2)
        _ = await imageError { try await room.loader.fetch(remembering("404")) }
        _ = await imageError { try await room.loader.fetch(photo("404")) }
        #expect(room.transport.requestCount == 4)
        var again = remembering("404")
        again.policy = .revalidate
        _ = await imageError { try await room.loader.fetch(again) }
        #expect(room.transport.requestCount == 5)
        await room.loader.remove(remembering("404"))
        _ = await imageError { try await room.loader.fetch(remembering("404")) }
        #expect(room.transport.requestCount == 6)
        try await room.loader.removeAll()
        _ = await imageError { try await room.loader.fetch(remembering("404")) }
        #expect(room.transport.requestCount == 7)
    }

    @Test func `a source that succeeds by another way is no failure any more`() async throws {
        let isUp = Locked(false)
        let room = LoaderFixture { request in
            isUp.withLock { $0 } ? .picture(request) : HTTPResponse(url: request.url, status: 404)
        }
        #expect(await imageError { try await room.loader.fetch(remembering("a")) }?.status == 404)
        isUp.withLock { $0 = true }
        var again = remembering("a")
        again.policy = .revalidate
        again.caching.remove(.writeMemory)
        _ = try await room.loader.fetch(again)
        _ = try await room.loader.fetch(remembering("a"))
    }
}
