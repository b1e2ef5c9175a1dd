import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct CoalescingTests {
    @Test(.requirement("B1", "S0.6", "S1.7")) func `two requests for one image download and process it once`()
        async throws
    {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let step = CountingStep("count")
        let request = ImageRequest(.photo(), steps: [step])
        async let first = room.loader.fetch(request)
        async let second = room.loader.fetch(request)
        await room.waitForWaiters(images: 3, sources: 1)
        gate.open()
        #expect(try await first.isIdentical(to: second))
        #expect(room.transport.requestCount == 1)
        #expect(room.decoder.decodeCount == 1)
        #expect(step.count == 1)
    }

    @Test(.requirement("B2"))
    func `different steps on one URL share the download, and cancelling one leaves the other alone`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let (one, two) = (CountingStep("one"), CountingStep("two"))
        let first = Task { try await room.loader.fetch(ImageRequest(.photo(), steps: [one])) }
        let second = Task { try await room.loader.fetch(ImageRequest(.photo(), steps: [two])) }
        await room.waitForWaiters(images: 4, sources: 1)
        first.cancel()
        #expect(await imageError { try await first.value }?.code == .cancelled)
        gate.open()
        _ = try await second.value
        #expect(room.transport.requestCount == 1)
        #expect(two.count == 1)
        #expect(one.count == 0)
    }

    @Test(.requirement("B3"))
    func `steps that requests share run once, and each image has a place of its own in memory`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let (shared, left, right) = (CountingStep("shared"), CountingStep("left"), CountingStep("right"))
        let requests = [
            ImageRequest(.photo(), steps: [shared, left]), ImageRequest(.photo(), steps: [shared, right]),
        ]
        let loads = requests.map { request in Task { try await room.loader.fetch(request) } }
        await room.waitForWaiters(images: 5, sources: 1)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(shared.count == 1)
        #expect(left.count == 1)
        #expect(right.count == 1)
        #expect(requests.allSatisfy { room.loader.cachedImage(for: $0) != nil })
        #expect(room.loader.cachedImage(for: ImageRequest(.photo(), steps: [shared])) == nil)
    }

    @Test(.requirement("B4", "C2", "D4.11"))
    func `two sizes of one image are one download and two decodes`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate, answering: { request in .picture(request, width: 400, height: 300) })
        async let small = room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 40, height: 40)))
        async let large = room.loader.fetch(ImageRequest(.photo(), size: ResizeTarget(width: 200, height: 200)))
        await room.waitForWaiters(images: 2, sources: 2)
        gate.open()
        #expect(try await small.width == 40)
        #expect(try await large.width == 200)
        #expect(room.transport.requestCount == 1)
        #expect(room.decoder.decodeCount == 2)
    }

    @Test(.requirement("B5")) func `a request for the image and one for its bytes share the download`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        async let picture = room.loader.fetch(URL.photo())
        async let bytes = room.loader.data(for: ImageRequest(.photo()))
        await room.waitForWaiters(images: 1, sources: 2)
        gate.open()
        #expect(try await picture.width == 4)
        #expect(try await bytes == PlainDecoder.data())
        #expect(room.transport.requestCount == 1)
    }

    /// Requests that differ in `.readDisk` used to load twice.
    @Test(.requirement("B6"), arguments: [false, true])
    func `a request that reads the disk and one that does not share the download`(readerComesFirst: Bool) async throws {
        let gate = Gate()
        let folder = TemporaryFolder()
        let room = folder.room(answering: { request in
            var response = HTTPResponse.picture(request)
            if let data = response.body.whole { response.body = .begun(data, gate: gate) }
            return response
        })
        var aside = ImageRequest(.photo())
        aside.caching.remove([.readDisk, .writeDisk])
        let requests = readerComesFirst ? [ImageRequest(.photo()), aside] : [aside, ImageRequest(.photo())]
        let first = Task { try await room.loader.fetch(requests[0]) }
        await room.transport.waitForRequests(1)
        let hasBegun = Gate()
        let second = Task {
            for try await event in room.loader.events(for: requests[1]) where event.progress != nil { hasBegun.open() }
        }
        await hasBegun.wait()
        gate.open()
        _ = try await (first.value, second.value)
        #expect(room.transport.requestCount == 1)
        // If one request allows storing, the image is stored, whichever began.
        try await room.loader.diskStore?.flush()
        #expect(try await folder.room().loader.response(for: ImageRequest(.photo())).origin == .disk)
    }

    @Test(.requirement("B6")) func `without a store, too, the download is shared`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var aside = ImageRequest(.photo())
        aside.caching.remove(.readDisk)
        let loads = [ImageRequest(.photo()), aside].map { request in Task { try await room.loader.fetch(request) } }
        await room.waitForWaiters(images: 2, sources: 2)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B6")) func `requests that fill different caches share the download`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var other = ImageRequest(.photo())
        other.caching = [.readMemory, .readDisk]
        async let first = room.loader.fetch(URL.photo())
        async let second = room.loader.fetch(other)
        await room.waitForWaiters(images: 2, sources: 2)
        gate.open()
        _ = try await (first, second)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B7")) func `requests of different policies share nothing`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var reload = ImageRequest(.photo())
        reload.policy = .reloadIgnoringCache
        async let first = room.loader.fetch(URL.photo())
        async let second = room.loader.fetch(reload)
        await gate.waitForWaiters(2)
        gate.open()
        _ = try await (first, second)
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B8")) func `without coalescing each request is a download`() async throws {
        let gate = Gate()
        let room = LoaderFixture(gate: gate, options: { $0.coalesces = false })
        let loads = (0..<3).map { _ in Task { try await room.loader.fetch(URL.photo()) } }
        await gate.waitForWaiters(3)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(room.transport.requestCount == 3)
    }

    @Test(.requirement("B9")) func `an image in memory is the start for one with more steps; nothing is downloaded`()
        async throws
    {
        let room = LoaderFixture()
        let (first, second) = (CountingStep("first"), CountingStep("second"))
        _ = try await room.loader.fetch(ImageRequest(.photo(), steps: [first]))
        _ = try await room.loader.fetch(ImageRequest(.photo(), steps: [first, second]))
        #expect(room.transport.requestCount == 1)
        #expect(room.decoder.decodeCount == 1)
        #expect(first.count == 1)
        #expect(second.count == 1)
    }

    @Test(.requirement("B11", "S0.7", "S0.3", "S4.6", "D4.1", "D4.2"))
    func `of a hundred concurrent requests for one URL none is lost`() async {
        let room = LoaderFixture()
        for round in 0..<20 {
            let results = await concurrently(100) { _ in try? await room.loader.fetch(URL.photo(round)) }
            #expect(results.allSatisfy { $0 != nil })
        }
        #expect(room.transport.requestCount == 20)
    }

    @Test(.requirement("B12", "C5", "S0.13", "D0.1", "D1.1"))
    func `a failure reaches every waiter once, leaves nothing behind, and the next ask tries again`() async throws {
        let gate = Gate()
        let answers = Counter()
        let room = LoaderFixture(
            gate: gate,
            answering: { request throws(TransportError) in
                if answers.next() == 1 { throw TransportError(.cannotConnect, "nobody there") }
                return .picture(request)
            })
        let loads = (0..<10).map { _ in Task { await imageError { try await room.loader.fetch(URL.photo()) } } }
        await room.waitForWaiters(images: 10, sources: 1)
        gate.open()
        for load in loads { #expect(await load.value?.code == .connectionFailed) }
        #expect(room.loader.statistics.images == 0)
        #expect(room.loader.statistics.sources == 0)
        #expect(try await room.loader.fetch(URL.photo()).width == 4)
        #expect(room.transport.requestCount == 2)
    }
}
