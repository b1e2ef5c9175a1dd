import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing
import Waiting

@testable import CalotypeUI

/// The current image of a view while the next one loads.
@MainActor
@Suite struct KeptImageTests {
    /// Answers for a path with "slow" wait here.
    private let gate = Gate()
    private var room: Room

    init() {
        let gate = gate
        room = Room(answering: { request in
            if request.url.path.contains("slow") { await gate.wait() }
            if request.url.path.contains("missing") { return HTTPResponse(url: request.url, status: 404) }
            let seed = request.url.path.utf8.reduce(0) { $0 + Int($1) }
            return HTTPResponse(
                url: request.url, status: 200, body: HTTPBody(SamplePhotos.png(width: 8, height: 6, seed: seed)))
        })
        room.options.keepsImageWhileLoading = true
    }

    /// Returns a binder that shows the image "a", and that image.
    private func shown(_ options: RemoteImageOptions) async throws -> (ImageBinder, Bitmap) {
        let binder = ImageBinder(options)
        binder.show(.photo("a"))
        await waitUntil { binder.state.image != nil }
        return (binder, try #require(binder.state.image).bitmap)
    }

    @Test func `a view keeps its image until the next one is there`() async throws {
        let (binder, first) = try await shown(room.options)
        var states: [RemoteImageState] = []
        binder.onChange = { states.append($0) }
        binder.show(.photo("slow"))
        #expect(binder.state.isLoading)
        #expect(binder.state.visibleImage?.bitmap.isIdentical(to: first) == true)
        gate.open()
        await waitUntil { binder.state.image != nil }
        #expect(binder.state.image?.bitmap.isIdentical(to: first) == false)
        #expect(states.allSatisfy { $0.visibleImage != nil }, "the view was never empty")
    }

    @Test(.requirement("C11")) func `by default a view keeps nothing`() async throws {
        var options = room.options
        options.keepsImageWhileLoading = RemoteImageOptions(loader: room.loader).keepsImageWhileLoading
        let (binder, _) = try await shown(options)
        binder.show(.photo("slow"))
        #expect(binder.state == .loading())
        gate.open()
    }

    @Test(.requirement("C11")) func `a row of a list keeps nothing, whichever way it is bound again`() async throws {
        var options = room.options
        options.idleQueue = IdleQueue()
        let (binder, _) = try await shown(options)
        binder.rebind(.photo("slow"))
        #expect(binder.state == .loading())
        // A cell without a queue, which is prepared for its reuse.
        var states: [RemoteImageState] = []
        let load = ImageViewLoad(room.options) { states.append($0) }
        load.set(.photo("a"))
        await waitUntil { states.last?.image != nil }
        load.cancel()
        states = []
        load.set(.photo("slow"))
        #expect(states == [.loading()])
        gate.open()
    }

    @Test func `the requested image at another size takes the place of a kept image`() async throws {
        let (binder, _) = try await shown(room.options)
        var other = ImageRequest.photo("b")
        other.size = ResizeTarget(width: 4)
        let small = try await room.loader.fetch(other)
        var sized = other
        sized.size = ResizeTarget(width: 6)
        sized.placeholder = .color(ImageColor(red: 1, green: 2, blue: 3))
        binder.show(sized)
        #expect(binder.state.visibleImage?.bitmap.isIdentical(to: small) == true)
    }

    @Test func `a kept image takes the place of a placeholder, and stays over several requests`() async throws {
        let (binder, first) = try await shown(room.options)
        var slow = ImageRequest.photo("slow")
        slow.placeholder = .color(ImageColor(red: 1, green: 2, blue: 3))
        binder.show(slow)
        binder.show(.photo("slow too"))
        #expect(binder.state.visibleImage?.bitmap.isIdentical(to: first) == true)
        binder.show(nil)
        #expect(binder.state == .loading())
        binder.show(slow)
        #expect(binder.state.visibleImage?.bitmap.averageColor == ImageColor(red: 1, green: 2, blue: 3))
        gate.open()
    }

    @Test func `after a failure no earlier image is shown`() async throws {
        let (binder, _) = try await shown(room.options)
        binder.show(.photo("missing"))
        await waitUntil { binder.state.error != nil }
        #expect(binder.state.visibleImage == nil)
        binder.show(.photo("slow"))
        #expect(binder.state == .loading())
        gate.open()
    }

    @Test func `a view that is drawn before it requests the next image keeps the current one`() async throws {
        let model = ImageModel(room.options)
        model.request = .photo("a")
        await waitUntil { model.state.image != nil }
        let first = try #require(model.state.image).bitmap
        #expect(model.state(of: .photo("slow")).visibleImage?.bitmap.isIdentical(to: first) == true)
        model.use(nil, keys: nil, keepsImage: false)
        #expect(model.state(of: .photo("slow")) == .loading())
    }

    @Test func `a view whose size is not known yet keeps its image through its first layout`() async throws {
        var states: [RemoteImageState] = []
        let load = ImageViewLoad(room.options) { states.append($0) }
        load.set(.photo("a"))
        await waitUntil { states.last?.image != nil }
        states = []
        load.set(.photo("b"), sizedBy: { nil })
        await waitUntil { states.last?.image != nil }
        #expect(states.allSatisfy { $0.visibleImage != nil }, "the view was never empty")
    }
}
