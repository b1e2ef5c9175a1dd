import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

/// A loader's report of each request, and its totals.
@Suite struct MetricsTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let reports = Locked([ImageLoadMetrics]())

    private var metrics: [ImageLoadMetrics] { reports.withLock { $0 } }

    /// Returns a fixture in which each exchange takes two seconds, and each decode three.
    private func room(answering answer: @escaping FakeTransport.Answer = { .picture($0) }) -> LoaderFixture {
        LoaderFixture(
            decodeHook: { [clock] in clock.advance(by: .seconds(3)) },
            options: { [folder, clock, reports] in
                $0.disk = .directory(folder.path)
                $0.clock = clock
                $0.onMetrics = { metrics in reports.withLock { $0.append(metrics) } }
            }
        ) { [clock] request throws(TransportError) in
            clock.advance(by: .seconds(2))
            return try await answer(request)
        }
    }

    @Test func `each request has one report: layer, bytes and durations`() async throws {
        let room = room()
        let request = ImageRequest(.photo(), size: ResizeTarget(width: 2))
        let size = PlainDecoder.data().count
        _ = try await room.loader.fetch(request)
        let network = try #require(metrics.first)
        #expect(network.origin == .network && network.bytes == size && network.error == nil)
        #expect(network.url == .photo())
        #expect(network.loading == .seconds(2))
        #expect(network.processing == .seconds(3))
        #expect(network.duration == .seconds(5))
        _ = try await room.loader.fetch(request)
        #expect(metrics.count == 2)
        #expect(metrics[1].origin == .memory && metrics[1].bytes == 0 && metrics[1].duration == .zero)
        #expect(metrics[1].loading == nil && metrics[1].processing == nil)
        _ = try await room.loader.fetch(URL.photo())
        #expect(metrics.count == 3)
        #expect(metrics[2].origin == .disk && metrics[2].bytes == size && metrics[2].loading == .zero)
        _ = try await room.loader.data(for: request)
        #expect(metrics.count == 4)
        #expect(metrics[3].origin == .disk && metrics[3].bytes == size && metrics[3].processing == nil)
    }

    @Test func `neither an error nor a report contains the password of a URL, which the server still gets`()
        async throws
    {
        let url = try #require(URL(string: "http://anna:secret@photos.example/1"))
        let room = room { HTTPResponse(url: $0.url, status: $0.url.path == "/1" ? 404 : 500) }
        let error = try #require(await imageError { try await room.loader.fetch(url) })
        #expect(error.description == "http://photos.example/1: the server answered 404")
        #expect(error.url == .photo())
        let report = try #require(metrics.first)
        #expect(report.url == .photo() && report.error?.url == .photo())
        #expect("\(error) \(report) \(error.localizedDescription)".contains("secret") == false)
        #expect(room.transport.requests.map(\.url) == [url])
        let source = ImageSource.custom(id: "a") { throw ImageError(.other, "GET \(url) failed") }
        let custom = try #require(await imageError { try await room.loader.fetch(ImageRequest(source: source)) })
        #expect(!custom.description.contains("secret"))
    }

    @Test func `a failed request has one report with its error`() async throws {
        let room = room { HTTPResponse(url: $0.url, status: 404) }
        _ = await imageError { try await room.loader.fetch(URL.photo()) }
        _ = await imageError { try await room.loader.data(for: ImageRequest(.photo())) }
        #expect(metrics.map(\.error?.status) == [404, 404])
        #expect(metrics.map(\.origin) == [nil, nil])
        #expect(metrics.map(\.duration) == [.seconds(2), .seconds(2)])
    }

    @Test func `an encoded image has one report, also of a deadline that passes while it is encoded`() async throws {
        let room = room()
        _ = try await room.loader.data(for: ImageRequest(.photo()), encodedAs: .png)
        #expect(metrics.map(\.origin) == [.network])
        #expect(metrics.first?.processing == .seconds(3))

        let gate = Gate()
        let silent = LoaderFixture(options: { [clock, reports] in
            $0.clock = clock
            $0.deadline = .seconds(5)
            $0.onMetrics = { metrics in reports.withLock { $0.append(metrics) } }
        }) { request throws(TransportError) in
            await gate.wait()
            return .picture(request)
        }
        let load = Task {
            await imageError { try await silent.loader.data(for: ImageRequest(.photo()), encodedAs: .png) }
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await load.value?.code == .timedOut)
        #expect(metrics.map(\.error?.code) == [nil, .timedOut])
        gate.open()
    }

    @Test @MainActor func `a completion has one report, with the image in memory and without`() async throws {
        let room = room()
        for _ in 0..<2 {
            let gate = Gate()
            room.loader.fetch(.photo()) { _ in gate.open() }
            await gate.wait()
        }
        #expect(metrics.map(\.origin) == [.network, .memory])
    }

    @Test func `requests that share work are each reported`() async throws {
        let gate = Gate()
        let room = room { request in
            await gate.wait()
            return .picture(request)
        }
        let loads = (0..<3).map { _ in Task { try await room.loader.fetch(URL.photo()) } }
        await waitUntil { room.loader.statistics.imageWaiters == 3 }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(metrics.map(\.origin) == [.network, .network, .network])
        #expect(metrics.allSatisfy { $0.bytes == PlainDecoder.data().count })
    }

    @Test func `statistics count what each layer gave, and what the disk store was asked`() async throws {
        let room = room { HTTPResponse.picture($0, stale: true) }
        var request = ImageRequest(.photo())
        request.caching.remove([.readMemory, .writeMemory])
        for policy in [CachePolicy.useProtocol, .returnCacheElseLoad, .returnCacheElseLoad, .useProtocol] {
            request.policy = policy
            _ = try await room.loader.fetch(request)
        }
        _ = try await room.loader.fetch(ImageRequest(source: .data(PlainDecoder.data(blue: 9))))
        try await room.loader.diskStore?.flush()
        let statistics = room.loader.statistics
        #expect(statistics.originals == [.network: 2, .stale: 2, .source: 1])
        #expect(statistics.diskHits >= 2)
        #expect(statistics.diskMisses >= 1)
        #expect(statistics.diskWrites >= 1)
    }
}

extension HTTPResponse {
    fileprivate static func picture(_ request: HTTPRequest, stale: Bool) -> HTTPResponse {
        var response = picture(request)
        if stale { response.fields["Cache-Control"] = "max-age=0" }
        return response
    }
}
