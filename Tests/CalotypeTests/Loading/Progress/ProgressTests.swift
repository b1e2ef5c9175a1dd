import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@Suite struct ProgressTests {
    @Test func `the events of a load are its progress, then the image, then nothing`() async throws {
        let room = LoaderFixture()
        var last: ImageEvent?
        var received = 0
        for try await event in room.loader.events(for: ImageRequest(.photo())) {
            if let progress = event.progress {
                #expect(progress.received >= received)
                #expect(progress.expected == PlainDecoder.data().count)
                received = progress.received
            }
            last = event
        }
        #expect(last?.response?.bitmap.width == 4)
        #expect(last?.response?.origin == .network)
    }

    @Test(.requirement("B10")) func `one who joins late is told at once how far the download is`() async throws {
        let gate = Gate()
        let room = LoaderFixture(answering: { request in
            HTTPResponse(
                url: request.url, status: 200, fields: ["Content-Length": "\(PlainDecoder.data().count)"],
                body: .chunks(of: PlainDecoder.data(), size: 5, gate: gate))
        })
        let first = Task { try await room.loader.fetch(URL.photo()) }
        await gate.waitForWaiters(1)
        gate.open(count: 1)
        await gate.waitForWaiters(1)
        var events = room.loader.events(for: ImageRequest(.photo())).makeAsyncIterator()
        // Nothing more arrives before this: the first event is the current state.
        #expect(try await events.next()?.progress == LoadProgress(received: 5, expected: PlainDecoder.data().count))
        gate.open()
        var response: ImageResponse?
        while let event = try await events.next() { response = event.response ?? response }
        #expect(response?.bitmap.width == 4)
        _ = try await first.value
    }

    @Test func `the events of a load that fails end with its error`() async {
        let room = LoaderFixture(answering: { request throws(TransportError) in
            throw TransportError(.cannotConnect, "nobody there")
        })
        let error = await imageError {
            for try await _ in room.loader.events(for: ImageRequest(.photo())) {}
        }
        #expect(error?.code == .connectionFailed)
    }

    @Test func `leaving the loop ends the fetch`() async {
        let gate = Gate()
        let room = LoaderFixture(gate: gate)
        let task = Task {
            var events = room.loader.events(for: ImageRequest(.photo())).makeAsyncIterator()
            _ = try? await events.next()
        }
        await gate.waitForWaiters(1)
        task.cancel()
        await task.value
        await room.transport.waitForCancellations(1)
    }
}
