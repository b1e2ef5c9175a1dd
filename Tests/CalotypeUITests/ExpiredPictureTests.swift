import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
@testable import CalotypeUI
import Foundation
import Requirements
import Testing
import Waiting

/// A view's image in memory after the end of its freshness (RFC 9111 §4.2).
@MainActor
@Suite struct ExpiredPictureTests {
    private let folder = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString
    private let clock = ManualClock()

    /// Returns a room with an image that is fresh for a minute, and later the same or another one.
    private func room(isSame: Bool, gate: Gate) -> Room {
        Room(
            gate: gate,
            edit: { [clock, folder] in
                $0.wallClock = clock.wall
                $0.disk = .store(DiskStore(directory: folder, wallClock: clock.wall))
            }
        ) { request in
            let fields: HTTPFields = ["ETag": "\"1\"", "Cache-Control": "max-age=60"]
            let isFirst = request.fields["If-None-Match"] == nil
            if !isFirst, isSame { return HTTPResponse(url: request.url, status: 304, fields: fields) }
            let data = SamplePhotos.png(width: 8, height: 6, seed: isFirst ? 1 : 2)
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
        }
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    @Test(.requirement("B70"))
    func `past its freshness it stays to be seen while the origin confirms it, and does not fade in again`()
        async throws
    {
        defer { removeFolder() }
        let gate = Gate(isOpen: true)
        let room = room(isSame: true, gate: gate)
        let bitmap = try await room.loader.fetch(.photo())
        clock.advance(by: .seconds(61))
        gate.close()
        #expect(room.loader.cachedImage(for: .photo()) == nil)

        let binder = ImageBinder(room.options)
        var states: [RemoteImageState] = []
        binder.onChange = { states.append($0) }
        #expect(binder.state(of: .photo()) == .loading(preview: cached(bitmap)))
        binder.show(.photo())
        #expect(states == [.loading(preview: cached(bitmap))])
        #expect(binder.isConfirming)
        await gate.waitForWaiters(1)
        gate.open()
        await waitUntil { binder.state.image != nil }
        #expect(binder.state.image?.bitmap.isIdentical(to: bitmap) == true)
        #expect(binder.state.image?.wasCached == true)
        #expect(room.transport.requestCount == 2)
    }

    @Test func `past its freshness it stays to be seen until another takes its place`() async throws {
        defer { removeFolder() }
        let room = room(isSame: false, gate: Gate(isOpen: true))
        let bitmap = try await room.loader.fetch(.photo())
        clock.advance(by: .seconds(61))
        let binder = ImageBinder(room.options)
        binder.show(.photo())
        #expect(binder.state == .loading(preview: cached(bitmap)))
        await waitUntil { binder.state.image != nil }
        #expect(binder.state.image?.bitmap.isIdentical(to: bitmap) == false)
        #expect(binder.state.image?.wasCached == false)
    }

    @Test func `a request that reads no caches shows nothing of them`() async throws {
        defer { removeFolder() }
        let gate = Gate(isOpen: true)
        let room = room(isSame: true, gate: gate)
        _ = try await room.loader.fetch(.photo())
        clock.advance(by: .seconds(61))
        gate.close()
        let binder = ImageBinder(room.options)
        var anew = ImageRequest.photo()
        anew.policy = .reloadIgnoringCache
        binder.show(anew)
        #expect(binder.state == .loading())
        #expect(!binder.isConfirming)
        gate.open()
    }

    @Test func `a small image past its freshness will do until the large one is there`() async throws {
        defer { removeFolder() }
        let gate = Gate(isOpen: true)
        let room = room(isSame: true, gate: gate)
        var small = ImageRequest.photo()
        small.size = ResizeTarget(width: 4)
        let bitmap = try await room.loader.fetch(small)
        clock.advance(by: .seconds(61))
        gate.close()
        let binder = ImageBinder(room.options)
        binder.show(.photo(), preview: small)
        #expect(binder.state == .loading(preview: cached(bitmap)))
        #expect(!binder.isConfirming)
        gate.open()
    }

    @Test func `what is shown is the preview of its next size, though memory has let go of it`() async throws {
        let gate = Gate(isOpen: true)
        let room = Room(gate: gate)
        var small = ImageRequest.photo()
        small.size = ResizeTarget(width: 4)
        let binder = ImageBinder(room.options)
        binder.show(small)
        await waitUntil { binder.state.image != nil }
        let bitmap = try #require(binder.state.image?.bitmap)
        try await room.loader.removeAll()
        gate.close()
        binder.show(.photo(), preview: small)
        #expect(binder.state == .loading(preview: cached(bitmap)))
        gate.open()
    }

    private func cached(_ bitmap: Bitmap) -> LoadedImage {
        LoadedImage(bitmap: bitmap, origin: .memory, wasCached: true)
    }
}
