import Calotype
import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import TestSupport
import Foundation
import Testing
import Waiting

/// The progress of bytes, and that of custom sources.
@Suite struct DataProgressTests {
    private let folder = TemporaryFolder()
    private let log = Log<LoadProgress>()
    private static let body = PlainDecoder.data() + Data(repeating: 0x20, count: 50_000)

    private func answer(_ gate: Gate) -> FakeTransport.Answer {
        { request in
            HTTPResponse(
                url: request.url, status: 200,
                fields: ["Cache-Control": "max-age=60", "Content-Length": "\(Self.body.count)"],
                body: .chunks(of: Self.body, size: 20_000, gate: gate))
        }
    }

    @Test func `bytes come with their progress, up to all of them`() async throws {
        let room = LoaderFixture(answering: answer(Gate(isOpen: true)))
        let data = try await room.loader.data(for: ImageRequest(.photo())) { [log] in log.add($0) }
        #expect(data == Self.body)
        #expect(log.entries.map(\.received) == [20_000, 40_000, Self.body.count])
        #expect(log.entries.allSatisfy { $0.expected == Self.body.count })
    }

    @Test func `a request that joins a load gets its progress at once`() async throws {
        let gate = Gate()
        let room = LoaderFixture(answering: answer(gate))
        let first = Task { try await room.loader.fetch(URL.photo()) }
        await gate.waitForWaiters(1)
        gate.open(count: 1)
        await gate.waitForWaiters(1)
        let second = Task {
            try await room.loader.dataResponse(for: ImageRequest(.photo())) { [log] in log.add($0) }
        }
        await waitUntil { log.count > 0 }
        #expect(log.entries == [LoadProgress(received: 20_000, expected: Self.body.count)])
        gate.open()
        #expect(try await second.value.data == Self.body)
        _ = try await first.value
        #expect(log.entries.last?.received == Self.body.count)
        #expect(room.transport.requestCount == 1)
    }

    @Test func `bytes from disk have a progress, too`() async throws {
        let first = folder.room(answering: answer(Gate(isOpen: true)))
        try await first.fetchAndFlush(ImageRequest(.photo()))
        try await first.loader.diskStore?.close()
        let response = try await folder.room().loader.dataResponse(for: ImageRequest(.photo())) { [log] in log.add($0) }
        #expect(response.origin == .disk)
        #expect(log.entries.last == LoadProgress(received: Self.body.count, expected: Self.body.count))
    }

    @Test(arguments: [false, true])
    func `the progress of a custom source reaches the readers of its events and of its bytes`(disk: Bool) async throws {
        let gate = Gate()
        let room = disk ? folder.room() : LoaderFixture()
        let source = ImageSource.custom(id: "1") { progress in
            progress(LoadProgress(received: 7, expected: 100))
            await gate.wait()
            return PlainDecoder.data()
        }
        let bytes = Task {
            try await room.loader.data(for: ImageRequest(source: source)) { [log] in log.add($0) }
        }
        await gate.waitForWaiters(1)
        var events = room.loader.events(for: ImageRequest(source: source)).makeAsyncIterator()
        #expect(try await events.next()?.progress == LoadProgress(received: 7, expected: 100))
        #expect(log.entries == [LoadProgress(received: 7, expected: 100)])
        gate.open()
        var response: ImageResponse?
        while let event = try await events.next() { response = event.response ?? response }
        #expect(response?.origin == .source)
        #expect(try await bytes.value == PlainDecoder.data())
    }

    @Test func `no progress follows the bytes`() async throws {
        let kept = Locked<(@Sendable (LoadProgress) -> Void)?>(nil)
        let source = ImageSource.custom(id: "1") { progress in
            kept.withLock { $0 = progress }
            return PlainDecoder.data()
        }
        _ = try await LoaderFixture().loader.data(for: ImageRequest(source: source)) { [log] in log.add($0) }
        let count = log.entries.count
        let report = try #require(kept.withLock { $0 })
        report(LoadProgress(received: 9, expected: 10))
        #expect(log.entries.count == count)
    }
}
