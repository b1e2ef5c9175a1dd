import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeUI
import Foundation
import Observation
import Requirements
import Testing
import Waiting

@MainActor
@Suite struct ImageModelTests {
    @Test(.requirement("S2.4", "C3")) func `with the image in memory the state is image before the setter returns`()
        async throws
    {
        let room = Room()
        _ = try await room.loader.fetch(.photo())
        let model = ImageModel(room.options)
        #expect(model.state == .loading())
        model.request = .photo()
        #expect(model.state.image?.wasCached == true)
        #expect(room.transport.requestCount == 1)
    }

    @Test(.requirement("S2.23")) func `made by its owner, a model is loading and has asked for nothing`() {
        let room = Room()
        let model = ImageModel(loader: room.loader)
        #expect(model.state == .loading())
        #expect(model.request == nil)
        #expect(room.transport.requestCount == 0)
    }

    @Test(.requirement("S1.6", "S4.4", "D0.10", "D0.11", "D1.6", "D1.7", "D2.4", "S4.9"))
    func `network and decoding go on while the main actor is busy; only the news waits for it`() {
        let room = Room()
        let model = ImageModel(room.options)
        model.request = .photo()
        var turns = 0
        while room.loader.cachedImage(for: .photo()) == nil, turns < 50_000_000 {
            sched_yield()
            turns += 1
        }
        #expect(room.loader.cachedImage(for: .photo()) != nil)
        #expect(model.state.isLoading)
    }

    @Test(.requirement("S2.7", "C13")) func `a miss is loading, then image, and in memory from then on`() async {
        let room = Room()
        let model = ImageModel(room.options)
        model.fetch(.photo())
        #expect(model.state.isLoading)
        await waitUntil { model.state.image != nil }
        #expect(model.state.image?.origin == .network)
        #expect(model.state.image?.wasCached == false)
        #expect(room.loader.cachedImage(for: .photo()) != nil)
    }

    @Test(.requirement("S2.10", "D2.13")) func `the change of state is observed, on the main actor`() async {
        let room = Room()
        let model = ImageModel(room.options)
        let changes = Locked(0)
        withObservationTracking {
            _ = model.state
        } onChange: {
            MainActor.assertIsolated()
            changes.withLock { $0 += 1 }
        }
        model.request = .photo()
        await waitUntil { model.state.image != nil }
        #expect(changes.withLock { $0 } == 1)
    }

    @Test(.requirement("S0.19", "S2.5", "S2.6")) func `a failure and data that is no image are errors that say which`()
        async
    {
        let room = Room { request throws(TransportError) in
            if request.url.path == "/offline" { throw TransportError(.cannotConnect, "nobody there") }
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(Data("<html>".utf8)))
        }
        let model = ImageModel(room.options)
        model.request = .photo("offline")
        await waitUntil { model.state.error != nil }
        #expect(model.state.error?.code == .connectionFailed)
        model.request = .photo("page")
        #expect(model.state.isLoading)
        await waitUntil { model.state.error != nil }
        #expect(model.state.error?.code == .notAnImage)
    }

    @Test(.requirement("S0.20", "D0.16", "D2.8")) func `changing the request starts a new load, nil shows nothing`()
        async
    {
        let room = Room()
        let model = ImageModel(room.options)
        model.request = .photo("a")
        await waitUntil { model.state.image != nil }
        model.request = .photo("b")
        #expect(model.state == .loading())
        await waitUntil { model.state.image != nil }
        model.request = nil
        #expect(model.state == .loading())
        #expect(model.request == nil)
    }

    @Test(.requirement("D2.7")) func `retry brings the image`() async {
        let isUp = Locked(false)
        let room = Room { request throws(TransportError) in
            guard isUp.withLock({ $0 }) else { throw TransportError(.cannotConnect, "nobody there") }
            return HTTPResponse(url: request.url, status: 200, body: HTTPBody(SamplePhotos.png(width: 4, height: 4)))
        }
        let model = ImageModel(room.options)
        model.request = .photo()
        await waitUntil { model.state.error != nil }
        isUp.withLock { $0 = true }
        model.retry()
        #expect(model.state == .loading())
        await waitUntil { model.state.image != nil }
    }

    @Test(.requirement("D2.9")) func `the load is cancelled when the view disappears, and comes back with it`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let model = ImageModel(room.options)
        model.request = .photo()
        await gate.waitForWaiters(1)
        model.disappear()
        await room.transport.waitForCancellations(1)
        #expect(model.state == .loading())
        gate.open()
        model.appear()
        await waitUntil { model.state.image != nil }
    }

    @Test(.requirement("D0.17")) func `progress is part of the state`() async {
        let gate = Gate()
        let data = SamplePhotos.png(width: 64, height: 64)
        let room = Room { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Content-Length": "\(data.count)"],
                body: HTTPBody(HalfBody(data, gate)))
        }
        let model = ImageModel(room.options)
        model.request = .photo()
        let half = LoadProgress(received: data.count / 2, expected: data.count)
        await waitUntil { model.state == .loading(progress: half) }
        gate.open()
        await waitUntil { model.state.image != nil }
    }

    @Test(.requirement("D2.1", "S1.8")) func `two views of one image, asked for in one turn, download it once`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let models = [ImageModel(room.options), ImageModel(room.options)]
        for model in models { model.request = .photo() }
        await waitUntil { room.loader.statistics.imageWaiters == 2 }
        gate.open()
        await waitUntil { models.allSatisfy { $0.state.image != nil } }
        #expect(room.transport.requestCount == 1)
    }
}

/// Delivers the first half at once, and the second when the gate opens.
private final class HalfBody: HTTPBodySource {
    private let parts: Locked<[Data]>
    private let gate: Gate

    init(_ data: Data, _ gate: Gate) {
        parts = Locked([data.prefix(data.count / 2), data.dropFirst(data.count / 2)])
        self.gate = gate
    }

    func next() async throws(TransportError) -> Data? {
        if parts.withLock({ $0.count }) == 1 { await gate.wait() }
        return parts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
