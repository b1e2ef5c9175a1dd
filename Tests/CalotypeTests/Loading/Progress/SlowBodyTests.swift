import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// A server that announces much, or sends much and then drips, delays no other server's images, stored images or custom
/// sources. Each of these waits used to last as long as the server liked.
@Suite struct SlowBodyTests {
    private static let limit = 100_000
    private static let announced = 10_000_000
    private static let slow = "slow"

    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let drips = Gate()

    private static func image(blue: UInt8) -> Data {
        // Large enough for a file in the store.
        PlainDecoder.data(blue: blue) + Data(repeating: 0x20, count: 50_000)
    }

    /// - Parameter first: The number of bytes of the slow image that arrive at once.
    private func room(first: Int) -> LoaderFixture {
        folder.room(
            options: {
                $0.undecodedBytes = SlowBodyTests.limit
                $0.clock = clock
            },
            answering: { [drips] request in
                let isSlow = request.url.lastPathComponent == SlowBodyTests.slow
                let data = SlowBodyTests.image(blue: 7)
                let length = isSlow ? SlowBodyTests.announced : data.count
                return HTTPResponse(
                    url: request.url, status: 200,
                    fields: ["Content-Length": "\(length)", "Cache-Control": "max-age=600"],
                    body: isSlow
                        ? HTTPBody(DrippingBody(first: first, drips))
                        : .chunks(of: data, size: 10_000, gate: Gate(isOpen: true)))
            })
    }

    @Test(.timeLimit(.minutes(5)))
    func `a body that is announced and does not come holds up nothing`() async throws {
        try await room(first: 0).fetchAndFlush(ImageRequest(.photo("stored")))
        let room = room(first: 0)
        async let slow = room.loader.fetch(URL.photo(SlowBodyTests.slow))
        await drips.waitForWaiters(1)
        #expect(try await room.loader.response(for: ImageRequest(.photo("stored"))).origin == .disk)
        #expect(try await room.loader.fetch(custom).blue == 9)
        #expect(try await room.loader.fetch(URL.photo("other")).blue == 7)
        #expect(drips.waiting == 1)
        room.loader.cancelAll()
        _ = try? await slow
    }

    @Test(.timeLimit(.minutes(5)))
    func `a body that fills the room at once and then drips passes its turn on`() async throws {
        try await room(first: 0).fetchAndFlush(ImageRequest(.photo("stored")))
        let room = room(first: 2 * SlowBodyTests.limit)
        async let slow = room.loader.fetch(URL.photo(SlowBodyTests.slow))
        await waitUntil { room.loader.statistics.undecodedBytes == 2 * SlowBodyTests.limit }
        // A stored image waits for no turn.
        #expect(try await room.loader.response(for: ImageRequest(.photo("stored"))).origin == .disk)
        async let other = room.loader.fetch(URL.photo("other"))
        await clock.waitForSleepers(1)
        drips.open(count: 1)
        await waitUntil { room.loader.statistics.undecodedBytes > 2 * SlowBodyTests.limit }
        clock.advance(by: .seconds(1))
        #expect(try await other.blue == 7)
        // No more time passes: the slow body rests.
        #expect(try await room.loader.fetch(custom).blue == 9)
        #expect(try await room.loader.fetch(URL.photo("third")).blue == 7)
        room.loader.cancelAll()
        _ = try? await slow
    }

    private var custom: ImageRequest {
        ImageRequest(source: .custom(id: "1") { SlowBodyTests.image(blue: 9) })
    }
}

/// A body with a part that arrives at once, and a rest in drips that wait at a gate.
private final class DrippingBody: HTTPBodySource {
    private let first: Locked<Data?>
    private let gate: Gate

    init(first: Int, _ gate: Gate) {
        self.first = Locked(first > 0 ? Data(repeating: 0x20, count: first) : nil)
        self.gate = gate
    }

    func next() async throws(TransportError) -> Data? {
        if let first = first.withLock({ $0.take() }) { return first }
        await gate.wait()
        if Task.isCancelled { throw .cancelled }
        return Data(repeating: 0x20, count: 2000)
    }
}
