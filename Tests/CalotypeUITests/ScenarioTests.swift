import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import CalotypeUI
import Foundation
import Requirements
import Testing
import Waiting

/// S3.28: stable URLs, large images, a network that fails; the view shows the stored image, then the new one.
@MainActor
@Suite struct ScenarioTests {
    private let folder = NSTemporaryDirectory() + "calotype-tests-" + UUID().uuidString
    private let clock = ManualClock()
    private let server = Locked((seed: 1, isUp: false))
    private let gate = Gate(isOpen: true)

    /// Starts the application: its memory is empty, and its disk is as the previous run left it.
    private func run() -> Room {
        Room(
            gate: gate,
            edit: { [clock, folder] in
                $0.wallClock = clock.wall
                $0.disk = .store(DiskStore(directory: folder, wallClock: clock.wall))
            }
        ) { [server] request throws(TransportError) in
            let (seed, isUp) = server.withLock { $0 }
            guard isUp else { throw TransportError(.cannotConnect, "the network is down") }
            let fields: HTTPFields = ["ETag": "\"\(seed)\"", "Cache-Control": "max-age=60"]
            if request.fields["If-None-Match"] == fields["ETag"] {
                return HTTPResponse(url: request.url, status: 304, fields: fields)
            }
            let photo = SamplePhotos.jpeg(width: 1600, height: 1200, seed: seed)
            return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(photo))
        }
    }

    private let photo: ImageRequest = {
        var request = ImageRequest.photo("stable")
        request.size = ResizeTarget(width: 200)
        return request
    }()

    private func end(_ room: Room) async throws { try await room.loader.diskStore?.close() }

    @Test(.requirement("S3.28"))
    func `the view shows the stored image first and the new one on arrival, through a failing network`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The first run: no network, an error, and a retry that succeeds.
        var room = run()
        var model = ImageModel(room.options)
        model.request = photo
        await waitUntil { !model.state.isLoading }
        #expect(model.state.error?.code == .connectionFailed)
        server.withLock { $0.isUp = true }
        model.retry()
        await waitUntil { !model.state.isLoading }
        let old = try #require(model.state.image?.bitmap)
        #expect((old.width, old.height) == (200, 150))
        try await end(room)

        // A day later, the image has changed and the network is down: the stored image is shown, and stays.
        clock.advance(by: .seconds(86_400))
        server.withLock { $0 = (seed: 2, isUp: false) }
        room = run()
        model = ImageModel(room.options)
        model.request = photo
        await waitUntil { !model.state.isLoading }
        #expect(model.state.image?.origin == .stale)
        #expect(model.state.image?.bitmap.pixels == old.pixels)

        // The network is back: the stored image is there at once, and visible until the new one replaces it.
        server.withLock { $0.isUp = true }
        gate.close()
        let next = ImageModel(room.options)
        next.request = photo
        guard case .loading(_, let preview?) = next.state else {
            Issue.record("\(next.state) in place of the stored image")
            gate.open()
            return
        }
        #expect(preview.bitmap.pixels == old.pixels)
        await gate.waitForWaiters(1)
        gate.open()
        await waitUntil { !next.state.isLoading }
        let new = try #require(next.state.image)
        #expect(new.origin == .network)
        #expect(new.bitmap.pixels != old.pixels)
        try await end(room)

        // The next run begins with it, without a request.
        room = run()
        let last = ImageModel(room.options)
        last.request = photo
        await waitUntil { !last.state.isLoading }
        #expect(last.state.image?.origin == .disk)
        #expect(last.state.image?.bitmap.pixels == new.bitmap.pixels)
        #expect(room.transport.requestCount == 0)
    }
}

extension Bitmap {
    fileprivate var pixels: Data { withUnsafeBytes { Data($0) } }
}
