import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@MainActor
@Suite struct CallbackTests {
    @Test(.requirement("S1.1", "S1.3", "S4.3", "C3"))
    func `with the image in memory the completion is called before fetch returns`() async throws {
        let room = LoaderFixture()
        let picture = try await room.loader.fetch(URL.photo())
        var received: Bitmap?
        let fetch = room.loader.fetch(URL.photo()) { received = try? $0.get() }
        #expect(received?.isIdentical(to: picture) == true)
        #expect(fetch.isFinished)
    }

    @Test(.requirement("S4.1")) func `a completion may take the image and the URL`() async throws {
        let room = LoaderFixture()
        let picture = try await room.loader.fetch(URL.photo(3))
        var received: (Bitmap?, URL)?
        room.loader.fetch(URL.photo(3)) { result, url in received = (try? result.get(), url) }
        #expect(received?.0?.isIdentical(to: picture) == true)
        #expect(received?.1 == URL.photo(3))
    }

    @Test(.requirement("S1.2", "S4.4", "C4")) func `without it, the completion is called later, on the main actor`()
        async
    {
        let room = LoaderFixture()
        var received: Bitmap?
        await withCheckedContinuation { continuation in
            room.loader.fetch(URL.photo()) { result in
                MainActor.assertIsolated()
                received = try? result.get()
                continuation.resume()
            }
            #expect(received == nil)
        }
        #expect(received?.width == 4)
    }

    @Test(.requirement("S1.9", "S1.11")) func `a miss configures the cell after it was returned, a hit before`() async {
        let room = LoaderFixture()
        func configure() async -> [String] {
            var events = ["Cell dequeued"]
            await withCheckedContinuation { continuation in
                let fetch = room.loader.fetch(URL.photo()) { _ in
                    events.append("Cell configured")
                    if events.contains("Returning cell") { continuation.resume() }
                }
                events.append("Returning cell")
                if fetch.isFinished { continuation.resume() }
            }
            return events
        }
        #expect(await configure() == ["Cell dequeued", "Returning cell", "Cell configured"])
        #expect(await configure() == ["Cell dequeued", "Cell configured", "Returning cell"])
    }

    /// Their tasks had not begun a flight yet, so that there was nothing to cancel: all 100 used to load.
    @Test func `cancelAll ends fetches that were begun in the same turn, and no later one`() async throws {
        let gate = Gate()
        let room = LoaderFixture(answering: { request in
            if request.url == .photo(100) { await gate.wait() }
            return .picture(request)
        })
        var events = room.loader.events(for: ImageRequest(.photo(100))).makeAsyncIterator()
        var codes: [ImageError.Code?] = []
        await withCheckedContinuation { continuation in
            for name in 0..<100 {
                room.loader.fetch(URL.photo(name)) { result in
                    if case .failure(let error) = result { codes.append(error.code) } else { codes.append(nil) }
                    if codes.count == 100 { continuation.resume() }
                }
            }
            room.loader.cancelAll()
        }
        #expect(codes.allSatisfy { $0 == .cancelled })
        gate.open()
        await #expect(throws: ImageError.self) { while try await events.next() != nil {} }
        // The events may have begun on another thread.
        #expect(room.transport.requests.allSatisfy { $0.url == .photo(100) })
        #expect(try await room.loader.fetch(URL.photo(0)).width == 4)
    }

    @Test(.requirement("S1.10", "D1.2")) func `a failure arrives as a typed error and is not remembered`() async {
        let room = LoaderFixture(answering: { request throws(TransportError) in
            throw TransportError(.cannotConnect, "nobody there")
        })
        for _ in 0..<2 {
            let code: ImageError.Code? = await withCheckedContinuation { continuation in
                room.loader.fetch(URL.photo()) { result in
                    guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
                    continuation.resume(returning: error.code)
                }
            }
            #expect(code == .connectionFailed)
        }
        #expect(room.transport.requestCount == 2)
    }

    @Test(.requirement("B17", "D1.9", "D4.8", "S4.14", "S4.30"))
    func `once cancelled, the completion is never called, and the download stops`()
        async throws
    {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let fetch = room.loader.fetch(URL.photo()) { _ in Issue.record("called after cancel()") }
        await gate.waitForWaiters(1)
        fetch.cancel()
        #expect(fetch.isFinished)
        await room.transport.waitForCancellations(1)
        gate.open()
        _ = try await room.loader.fetch(URL.photo(2))
    }

    @Test(.requirement("S1.4", "B32")) func `the peek at memory is synchronous and needs no actor`() async throws {
        let room = LoaderFixture()
        #expect(room.loader.cachedImage(for: URL.photo()) == nil)
        _ = try await room.loader.fetch(URL.photo())
        let loader = room.loader
        let found = await Task.detached { loader.cachedImage(for: URL.photo()) != nil }.value
        #expect(found)
    }

    @Test(.requirement("B25")) func `an invalidated loader answers the completion with an error, at once`() {
        let room = LoaderFixture()
        room.loader.invalidate()
        var code: ImageError.Code?
        room.loader.fetch(URL.photo()) { result in
            if case .failure(let error) = result { code = error.code }
        }
        #expect(code == .invalidated)
    }

    /// Completions used to wait for equal fetches from before a removal, with which they share nothing.
    @Test func `a fetch after a removal does not wait for the one before it`() async throws {
        let (first, count) = (Gate(), Counter())
        let room = LoaderFixture(answering: { request in
            if count.next() == 1 { await first.wait() }
            return .picture(request)
        })
        var order: [String] = []
        room.loader.fetch(.photo()) { _ in order.append("before") }
        await room.waitForWaiters(images: 1, sources: 1)
        await room.loader.remove(ImageRequest(.photo()))
        room.loader.fetch(.photo()) { _ in order.append("after") }
        // It arrives while the origin keeps the first one waiting.
        await waitUntil { order == ["after"] }
        first.open()
        await waitUntil { order == ["after", "before"] }
    }

    @Test func `a fetch whose source has failed does not wait for one that tries another source`() async {
        let other = Gate()
        let room = LoaderFixture(answering: { request throws(TransportError) in
            guard request.url == .photo("other") else { throw TransportError(.cannotConnect, "nobody there") }
            await other.wait()
            return .picture(request)
        })
        var order: [String] = []
        var request = ImageRequest(.photo())
        request.alternatives = [.url(.photo("other"))]
        room.loader.fetch(request) { _ in order.append("other") }
        room.loader.fetch(ImageRequest(.photo())) { _ in order.append("failed") }
        await waitUntil { order == ["failed"] }
        other.open()
        await waitUntil { order == ["failed", "other"] }
    }

    /// Each cancellation used to search all fetches of its image.
    @Test func `thousands of fetches of one image may be cancelled, and the rest keep their order`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var order: [Int] = []
        let fetches = (0..<5_000).map { number in room.loader.fetch(.photo()) { _ in order.append(number) } }
        for fetch in fetches where fetch !== fetches[0] && fetch !== fetches[4_000] && fetch !== fetches[4_999] {
            fetch.cancel()
        }
        gate.open()
        await waitUntil { order.count == 3 }
        #expect(order == [0, 4_000, 4_999])
    }

    /// Each used to have a task: one started after the image was in memory overtook those returning from the flight.
    @Test(.requirement("S4.5"))
    func `completions of one image are called in the order of their fetches, once each, after one download`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        var order: [Int] = []
        func fetch(_ number: Int) -> FetchTask {
            room.loader.fetch(.photo()) { _ in order.append(number) }
        }
        _ = fetch(0)
        await room.waitForWaiters(images: 1, sources: 1)
        let others = (1..<50).map(fetch)
        others[2].cancel()
        gate.open()
        // The main actor stays busy until the image is in memory, before any of the others has started.
        while room.loader.statistics.images > 0 { sched_yield() }
        // A hit answers at once, even if others wait.
        _ = fetch(100)
        await waitUntil { order.count == 50 }
        #expect(order == [100] + Array(0..<3) + Array(4..<50))
        #expect(room.transport.requestCount == 1)
    }
}
