import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeUI

/// The common part of the extensions of UIImageView and NSImageView.
@MainActor
@Suite struct ImageViewLoadTests {
    /// A view that records the images it shows, and its calls to observers.
    @MainActor
    private final class Log {
        var events: [String] = []

        func note(_ state: RemoteImageState) {
            switch state {
            case .loading: events.append("loading")
            case .image(let image): events.append(image.wasCached ? "image at hand" : "image")
            case .error: events.append("error")
            }
        }

        func completion(_ name: String) -> ImageViewLoad.Completion {
            { [self] result in
                switch result {
                case .success: events.append("\(name) done")
                case .failure(let error): events.append("\(name) \(error.code.rawValue)")
                }
            }
        }
    }

    private let log = Log()

    private func load(_ room: Room) -> ImageViewLoad {
        ImageViewLoad(room.options) { [log] in log.note($0) }
    }

    @Test(.requirement("S1.1", "S4.3"))
    func `an image in memory is shown, and told of, before set returns; nothing is shown before it`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo(1))
        let load = load(room)
        load.set(.photo(1), completion: log.completion("one"))
        #expect(log.events == ["image at hand", "one done"])
    }

    @Test(.requirement("S4.15")) func `a miss shows that it loads, then the image`() async {
        let load = load(Room())
        load.set(.photo(1), completion: log.completion("one"))
        #expect(log.events == ["loading"])
        await waitUntil { log.events.last == "one done" }
        #expect(log.events.filter { $0 != "loading" } == ["image", "one done"])
    }

    @Test(.requirement("D4.4")) func `a failure is told as one`() async {
        let room = Room { _ throws(TransportError) in throw TransportError(.cannotConnect, "nobody there") }
        let load = load(room)
        load.set(.photo(1), completion: log.completion("one"))
        await waitUntil { log.events.count > 2 }
        #expect(log.events.suffix(2) == ["error", "one connectionFailed"])
    }

    @Test func `who is superseded and asks for something else then has the last word; everyone is told once`() async {
        let load = load(Room(gate: Gate()))
        load.set(.photo(1)) { [log] _ in
            log.events.append("one cancelled")
            load.set(.photo(3), completion: log.completion("three"))
        }
        load.set(.photo(2), completion: log.completion("two"))
        #expect(log.events.filter { $0 != "loading" } == ["one cancelled", "two cancelled"])
        load.cancel()
        #expect(log.events.filter { $0 != "loading" } == ["one cancelled", "two cancelled", "three cancelled"])
    }

    @Test(.requirement("D4.5")) func `who is superseded is told so, once, before the next is shown`() {
        let load = load(Room(gate: Gate()))
        load.set(.photo(1), completion: log.completion("one"))
        load.set(.photo(2), completion: log.completion("two"))
        load.set(nil)
        #expect(log.events == ["loading", "one cancelled", "loading", "two cancelled", "loading"])
    }

    @Test func `set again while it loads, the second asker is answered by the one load`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let load = load(room)
        load.set(.photo(1), completion: log.completion("one"))
        load.set(.photo(1), completion: log.completion("two"))
        gate.open()
        await waitUntil { log.events.last == "two done" }
        #expect(log.events.filter { $0 != "loading" } == ["one cancelled", "image", "two done"])
        #expect(room.transport.requestCount == 1)
    }

    @Test func `set again when it is there, the asker is answered at once, and nothing fades in again`() async {
        let load = load(Room())
        load.set(.photo(1))
        await waitUntil { log.events.last == "image" }
        load.set(.photo(1), completion: log.completion("two"))
        #expect(log.events.suffix(2) == ["image at hand", "two done"])
    }

    @Test func `cancelled, the view stays as it looks`() {
        let load = load(Room(gate: Gate()))
        load.set(.photo(1), completion: log.completion("one"))
        load.cancel()
        load.cancel()
        #expect(log.events == ["loading", "one cancelled"])
    }

    @Test func `a completion may set the next image`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo(1))
        _ = try await room.loader.fetch(.photo(2))
        let load = load(room)
        load.set(.photo(1)) { [log] _ in
            log.events.append("one")
            load.set(.photo(2), completion: log.completion("two"))
        }
        #expect(log.events == ["image at hand", "one", "image at hand", "two done"])
    }

    @Test func `another loader or another list is another load`() {
        let room = Room()
        let load = load(room)
        var options = room.options
        #expect(load.serves(options))
        options.idleQueue = IdleQueue()
        #expect(!load.serves(options))
        #expect(!load.serves(Room().options))
    }

    // MARK: The size of the view

    private func target(_ width: Double, _ height: Double) -> ResizeTarget? {
        ResizeTarget(points: width, height, scale: 2, covers: true)
    }

    @Test func `a request without a size is decoded at that of the view, one with a size at its own`() async {
        let room = Room()
        let load = load(room)
        var shown: [Int] = []
        func show(_ request: ImageRequest) async {
            await withCheckedContinuation { done in
                load.set(request, sizedBy: { target(2, 1.5) }) { result in
                    if case .success(let bitmap) = result { shown.append(bitmap.width) }
                    done.resume()
                }
            }
        }
        await show(.photo(1))
        var sized = ImageRequest.photo(1)
        sized.size = ResizeTarget(width: 6)
        await show(sized)
        #expect(shown == [4, 6])
    }

    @Test func `before its first layout a view waits for it, and decodes at the size it gets`() async {
        let room = Room()
        let load = load(room)
        var place: ResizeTarget?
        let bitmap: Bitmap? = await withCheckedContinuation { done in
            load.set(.photo(1), sizedBy: { place }) { done.resume(returning: try? $0.get()) }
            #expect(log.events == ["loading"])
            #expect(room.transport.requestCount == 0)
            place = target(2, 1.5)
        }
        #expect(bitmap?.width == 4)
        // Without any size, the image is decoded at its own.
        let full: Bitmap? = await withCheckedContinuation { done in
            load.set(.photo(2), sizedBy: { nil }) { done.resume(returning: try? $0.get()) }
        }
        #expect(full?.width == 8)
    }

    @Test(.requirement("S1.1"))
    func `before its first layout a view has the whole image at the size that memory has`() async throws {
        let room = Room()
        _ = try await room.loader.fetch(.photo(1))
        var shown: [Int?] = []
        let load = ImageViewLoad(room.options) { shown.append($0.visibleImage?.bitmap.width) }
        var place: ResizeTarget?
        let bitmap: Bitmap? = await withCheckedContinuation { done in
            load.set(.photo(1), sizedBy: { place }) { done.resume(returning: try? $0.get()) }
            #expect(shown == [8], "in the first frame")
            place = target(2, 1.5)
        }
        #expect(bitmap?.width == 4)
        #expect(!shown.contains(nil), "and never without it")
    }

    @Test func `a request that waits for the layout is superseded and cancelled like any other`() async {
        let room = Room()
        let load = load(room)
        load.set(.photo(1), sizedBy: { nil }, completion: log.completion("one"))
        load.set(.photo(2), sizedBy: { nil }, completion: log.completion("two"))
        await withCheckedContinuation { done in
            load.set(.photo(3), sizedBy: { nil }) { _ in done.resume() }
        }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["3"])
        load.set(.photo(4), sizedBy: { nil }, completion: log.completion("four"))
        load.cancel()
        await withCheckedContinuation { done in load.set(.photo(5), completion: { _ in done.resume() }) }
        #expect(room.transport.requests.map(\.url.lastPathComponent) == ["3", "5"])
        #expect(log.events.filter { $0.contains("cancelled") } == ["one cancelled", "two cancelled", "four cancelled"])
    }

    @Test func `a view that has grown, or shrunk to less than half, calls for another decode`() {
        let old = ResizeTarget(width: 100)
        #expect(old.isOutgrown(by: ResizeTarget(width: 101)))
        #expect(!old.isOutgrown(by: ResizeTarget(width: 50)))
        #expect(old.isOutgrown(by: ResizeTarget(width: 49)))
        #expect(ResizeTarget(points: 0, scale: 2) == nil)
        #expect(ResizeTarget(points: 10.2, scale: 2)?.width == 21)
    }
}
