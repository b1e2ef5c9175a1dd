import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeUI
import Foundation
import Requirements
import Testing
import Waiting

@MainActor
@Suite struct ImageBinderTests {
    @Test(.requirement("S1.11")) func `a miss configures the view after it was returned, a hit before`() async {
        let room = Room()
        func configure() async -> [String] {
            var events = ["Cell dequeued"]
            let binder = ImageBinder(room.options)
            binder.onChange = { if $0.image != nil { events.append("Cell configured") } }
            binder.show(.photo())
            events.append("Returning cell")
            await waitUntil { events.count == 3 }
            return events
        }
        #expect(await configure() == ["Cell dequeued", "Returning cell", "Cell configured"])
        #expect(await configure() == ["Cell dequeued", "Cell configured", "Returning cell"])
    }

    @Test func `the placeholder is shown until the image is there, and not where memory has something better`()
        async throws
    {
        let gate = Gate()
        let room = Room(gate: gate)
        var request = ImageRequest.photo()
        request.placeholder = .color(ImageColor(red: 10, green: 20, blue: 30))
        let binder = ImageBinder(room.options)
        binder.show(request)
        guard case .loading(_, let preview) = binder.state else { return #expect(Bool(false)) }
        #expect(preview?.bitmap.averageColor == ImageColor(red: 10, green: 20, blue: 30))
        gate.open()
        await waitUntil { binder.state.image != nil }
        let second = ImageBinder(room.options)
        second.show(request)
        #expect(second.state.image?.wasCached == true)
        var other = ImageRequest.photo("other")
        other.placeholder = request.placeholder
        guard case .loading(_, let better) = second.state(of: other, preview: request) else {
            return #expect(Bool(false))
        }
        #expect(better?.bitmap.size == PixelSize(width: 8, height: 6))
    }

    @Test(.requirement("B70", "D1.5"))
    func `a memory hit goes from nothing to the image, without a placeholder or a transition`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo())
        let binder = ImageBinder(room.options)
        var states: [RemoteImageState] = []
        binder.onChange = { states.append($0) }
        binder.show(.photo())
        #expect(states.count == 1)
        #expect(states.first?.image?.wasCached == true)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("B69", "D1.3"))
    func `the second of two requests is the only one that is shown, and the first one's download stops`()
        async
    {
        let gate = Gate()
        let room = Room(gate: gate)
        let binder = ImageBinder(room.options)
        var shown: [Bitmap] = []
        binder.onChange = { if let image = $0.image { shown.append(image.bitmap) } }
        binder.show(.photo("a"))
        await gate.waitForWaiters(1)
        binder.show(.photo("b"))
        await room.transport.waitForCancellations(1)
        gate.open()
        await waitUntil { !shown.isEmpty }
        #expect(shown.count == 1)
        #expect(room.loader.cachedImage(for: .photo("b"))?.isIdentical(to: shown[0]) == true)
        #expect(room.loader.cachedImage(for: .photo("a")) == nil)
    }

    @Test(.requirement("S2.14", "D2.2")) func `asked for the same again, it does not start again`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let binder = ImageBinder(room.options)
        binder.show(.photo())
        binder.show(.photo())
        await gate.waitForWaiters(1)
        gate.open()
        await waitUntil { binder.state.image != nil }
        binder.show(.photo())
        #expect(room.transport.requestCount == 1)
        #expect(room.transport.cancelledCount == 0)
    }

    @Test func `a request that ignores caches loads again when it is shown again, and the image stays meanwhile`() async
    {
        let gate = Gate(isOpen: true)
        let room = Room(gate: gate)
        let binder = ImageBinder(room.options)
        binder.show(.reloading)
        await waitUntil { binder.state.image != nil }
        let first = binder.state.image?.bitmap
        gate.close()
        binder.show(.reloading)
        guard case .loading(_, let preview?) = binder.state else {
            Issue.record("nothing happens: \(binder.state)")
            return
        }
        #expect(first?.isIdentical(to: preview.bitmap) == true)
        // The requested load is in flight already.
        binder.show(.reloading)
        gate.open()
        await waitUntil { binder.state.image != nil }
        #expect(room.transport.requestCount == 2)
        #expect(room.transport.cancelledCount == 0)
    }

    @Test func `a cell that is rebound, or reappears, does not load again what ignores caches`() async {
        let room = Room()
        let binder = ImageBinder(room.options)
        binder.rebind(.reloading)
        await waitUntil { binder.state.image != nil }
        binder.rebind(.reloading)
        binder.disappear()
        binder.appear()
        #expect(binder.state.image != nil)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `a request that ignores caches ignores the application's own, too`() async throws {
        var room = Room()
        room.options.cache = OneImageCache(bitmap: try .plain())
        let binder = ImageBinder(room.options)
        binder.show(.reloading)
        #expect(binder.state.isLoading)
        await waitUntil { binder.state.image != nil }
        #expect(room.transport.requestCount == 1)
    }

    @Test func `the same request with another priority moves the load in flight`() async {
        let first = Gate()
        let order = Locked([String]())
        let room = Room {
            $0.downloads = 1
        } answering: { request throws(TransportError) in
            order.withLock { $0.append(request.url.lastPathComponent) }
            if request.url.lastPathComponent == "blocker" { await first.wait() }
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(SamplePhotos.png(width: 4, height: 4)))
        }
        let binders = (0..<3).map { _ in ImageBinder(room.options) }
        binders[0].show(.photo("blocker"))
        await first.waitForWaiters(1)
        binders[1].show(.photo("early"))
        await waitUntil { room.loader.statistics.downloadQueue == 1 }
        binders[2].show(.photo("urgent"))
        await waitUntil { room.loader.statistics.downloadQueue == 2 }
        var urgent = ImageRequest.photo("urgent")
        urgent.priority = .veryHigh
        binders[2].show(urgent)
        first.open()
        await waitUntil { binders.allSatisfy { $0.state.image != nil } }
        #expect(order.withLock { $0 } == ["blocker", "urgent", "early"])
    }

    @Test(.requirement("S4.23", "D4.3")) func `after a failure, showing the same again tries again`() async {
        let answers = Locked([503, 200])
        let room = Room { request in
            let status = answers.withLock { $0.removeFirst() }
            return HTTPResponse(url: request.url, status: status, body: HTTPBody(SamplePhotos.png(width: 4, height: 4)))
        }
        let binder = ImageBinder(room.options)
        binder.show(.photo())
        await waitUntil { binder.state.error != nil }
        #expect(binder.state.error?.status == 503)
        binder.show(.photo())
        await waitUntil { binder.state.image != nil }
    }

    @Test(.requirement("S4.18", "D2.3")) func `a view that is let go ends its load, and is not kept by it`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        var binder: ImageBinder? = ImageBinder(room.options)
        weak let remembered = binder
        binder?.show(.photo())
        await gate.waitForWaiters(1)
        binder = nil
        #expect(remembered == nil)
        await room.transport.waitForCancellations(1)
    }

    @Test func `a row that is let go while the list scrolls leaves no place in the queue`() async {
        var room = Room()
        let queue = IdleQueue(clock: ManualClock())
        room.options.idleQueue = queue
        queue.noteScroll()
        var binder: ImageBinder? = ImageBinder(room.options)
        binder?.show(.photo())
        #expect(queue.waiting == 1)
        binder = nil
        await waitUntil { queue.waiting == 0 }
        #expect(room.transport.requestCount == 0)
    }

    @Test(.requirement("B71"))
    func `off screen a load may go on with the lowest priority, and has its own back on screen`() async {
        let (gate, first) = (Gate(), Gate())
        let order = Locked([String]())
        var options = ImageLoaderOptions.ephemeral
        options.downloads = 1
        options.respondsToMemoryPressure = false
        options.transport = FakeTransport { request throws(TransportError) in
            order.withLock { $0.append(request.url.lastPathComponent) }
            await (request.url.lastPathComponent == "blocker" ? first : gate).wait()
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(SamplePhotos.png(width: 4, height: 4)))
        }
        var views = RemoteImageOptions(loader: ImageLoader(options))
        views.disappearance = .lowersPriority
        let binders = (0..<3).map { _ in ImageBinder(views) }
        binders[0].show(.photo("blocker"))
        await first.waitForWaiters(1)
        binders[1].show(.photo("left"))
        await waitUntil { views.loader.statistics.downloadQueue == 1 }
        binders[2].show(.photo("stayed"))
        await waitUntil { views.loader.statistics.downloadQueue == 2 }
        binders[1].disappear()
        gate.open()
        first.open()
        await waitUntil { binders.allSatisfy { $0.state.image != nil } }
        #expect(order.withLock { $0 } == ["blocker", "stayed", "left"])
    }

    @Test(.requirement("S4.20")) func `while the list scrolls a memory hit is shown at once, and a miss waits`()
        async throws
    {
        let clock = ManualClock()
        let queue = IdleQueue(clock: clock)
        var room = Room()
        room.options.idleQueue = queue
        _ = try await room.loader.fetch(.photo("hit"))
        queue.noteScroll()
        let (hit, miss) = (ImageBinder(room.options), ImageBinder(room.options))
        hit.show(.photo("hit"))
        miss.show(.photo("miss"))
        #expect(hit.state.image != nil)
        #expect(queue.waiting == 1)
        #expect(room.transport.requestCount == 1)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(80))
        await waitUntil { miss.state.image != nil }
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("D4.7", "C12")) func `rows that flew past ask for nothing`() async {
        let clock = ManualClock()
        let queue = IdleQueue(clock: clock)
        var room = Room()
        room.options.idleQueue = queue
        let cell = ImageBinder(room.options)
        queue.noteScroll()
        for row in 0..<100 { cell.show(.photo("row\(row)")) }
        #expect(queue.waiting == 1)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(80))
        await waitUntil { cell.state.image != nil }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["row99"])
    }

    @Test func `an image that came into memory while its row waited is not loaded again`() async throws {
        let clock = ManualClock()
        let queue = IdleQueue(clock: clock)
        var room = Room()
        room.options.idleQueue = queue
        let cell = ImageBinder(room.options)
        queue.noteScroll()
        cell.show(.photo())
        _ = try await room.loader.fetch(.photo())
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(80))
        await waitUntil { cell.state.image != nil }
        #expect(cell.state.image?.wasCached == true)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `while the large image comes, the small one from memory is shown`() async throws {
        let gate = Gate(isOpen: true)
        let room = Room(gate: gate)
        var small = ImageRequest.photo()
        small.size = ResizeTarget(width: 4)
        let preview = try await room.loader.fetch(small)
        gate.close()
        let binder = ImageBinder(room.options)
        binder.show(.photo(), preview: small)
        guard case .loading(_, let shown?) = binder.state else {
            Issue.record("no preview: \(binder.state)")
            return
        }
        #expect(shown.bitmap.isIdentical(to: preview))
        gate.open()
        await waitUntil { binder.state.image != nil }
        #expect(binder.state.image?.bitmap.width == 8)
    }

    @Test func `what is set while being told of a change wins`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo("b"))
        let binder = ImageBinder(room.options)
        binder.onChange = { [weak binder] _ in binder?.show(.photo("b")) }
        binder.show(.photo("a"), preview: .photo("b"))
        #expect(binder.state.image != nil)
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["b"])
    }
}

extension ImageRequest {
    fileprivate static var reloading: ImageRequest {
        var request = ImageRequest.photo()
        request.policy = .reloadIgnoringCache
        return request
    }
}

/// A cache with the same image for every key.
private struct OneImageCache: RemoteImageCache {
    let bitmap: Bitmap

    func object(forKey key: String) -> Bitmap? { bitmap }
    func setObject(_ object: Bitmap, forKey key: String) {}
    func removeObject(forKey key: String) {}
    func removeAllObjects() {}
}
