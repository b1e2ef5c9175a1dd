import CalotypeTesting
import Foundation
import Testing

@testable import Calotype
@testable import CalotypeGallery

struct LoadRecorderTests {
    private let clock = ManualClock()

    private func metrics(
        _ origin: ImageResponse.Origin?, at path: String = "/1", milliseconds: Int = 10, processing: Int? = nil,
        error: ImageError? = nil
    ) -> ImageLoadMetrics {
        ImageLoadMetrics(
            url: URL(string: "http://example.org\(path)"), origin: origin, duration: .milliseconds(milliseconds),
            bytes: 0, loading: nil, processing: processing.map { .milliseconds($0) }, error: error)
    }

    @Test func `each layer's answers are counted, and so are decodes`() {
        let recorder = LoadRecorder(clock: clock)
        for origin in [.memory, .memory, .disk, .stale, .source, .revalidated] as [ImageResponse.Origin] {
            recorder.record(metrics(origin))
        }
        recorder.record(metrics(.network, processing: 30))
        recorder.record(metrics(nil, error: ImageError(.other, "it failed")))
        let tally = recorder.tally
        #expect(LoadKind.allCases.map { tally[$0] } == [2, 3, 1, 1, 1])
        #expect(tally.decodes == 1)
    }

    @Test func `it keeps the latest and forgets the oldest, which stay counted`() {
        let recorder = LoadRecorder(limit: 3, clock: clock)
        for number in 0..<5 { recorder.record(metrics(.disk, at: "/\(number)")) }
        #expect(recorder.latest(10).map(\.id) == [2, 3, 4])
        #expect(recorder.latest(2).compactMap { $0.metrics.url?.path } == ["/3", "/4"])
        #expect(recorder.tally.total == 5)
    }

    @Test func `a request's start is its end less the time it took`() {
        let recorder = LoadRecorder(clock: clock)
        clock.advance(by: .milliseconds(100))
        recorder.record(metrics(.network, milliseconds: 80))
        recorder.record(metrics(.network, milliseconds: 500))
        #expect(recorder.latest(2).map(\.start) == [.milliseconds(20), .zero])
        #expect(recorder.latest(2).map(\.end) == [.milliseconds(100), .milliseconds(100)])
    }

    @Test func `what made an image is the latest request that memory did not answer`() throws {
        let recorder = LoadRecorder(clock: clock)
        recorder.record(metrics(.network))
        recorder.record(metrics(.disk, at: "/2"))
        recorder.record(metrics(.revalidated))
        recorder.record(metrics(.memory))
        recorder.record(metrics(nil, error: ImageError(.other, "it failed")))
        let url = try #require(URL(string: "http://example.org/1"))
        #expect(recorder.lastLoad(of: url)?.metrics.origin == .revalidated)
    }

    @Test func `loads that nobody sees, and cancelled ones, do not count`() {
        let recorder = LoadRecorder(clock: clock)
        LoadRecorder.$isPaused.withValue(true) { recorder.record(metrics(.disk)) }
        recorder.record(metrics(nil, error: .cancelled))
        #expect(recorder.tally.total == 0 && recorder.latest(10).isEmpty)
    }

    @Test func `a loader's requests arrive in it`() async throws {
        let origin = try OriginServer()
        origin.on("/1", .ok(SamplePhotos.jpeg()))
        let recorder = LoadRecorder()
        var options = ImageLoaderOptions.ephemeral
        options.onMetrics = recorder.record
        let loader = ImageLoader(options)
        _ = try await loader.fetch(origin.url("/1"))
        _ = try await loader.fetch(origin.url("/1"))
        #expect(recorder.latest(5).map { $0.metrics.origin } == [.network, .memory])
        #expect(recorder.tally.decodes == 1)
        // A load for the details of an image that is already shown.
        try await LoadRecorder.$isPaused.withValue(true) {
            _ = try await loader.data(for: ImageRequest(origin.url("/1")))
        }
        #expect(recorder.tally.total == 2)
    }

    @Test func `the details say where the image came from, and how long it took in the first place`() throws {
        let recorder = LoadRecorder(clock: clock)
        clock.advance(by: .seconds(1))
        recorder.record(metrics(.network, milliseconds: 320, processing: 40))
        let work = recorder.lastLoad(of: try #require(URL(string: "http://example.org/1")))
        let account = LoadAccount(origin: .memory, work: work)
        let texts = Dictionary(uniqueKeysWithValues: account.lines.map { ($0.title, $0.text) })
        #expect(texts[ViewerTexts.source] == "Memory" && texts[ViewerTexts.firstLoaded] == "Network")
        #expect(texts[ViewerTexts.total] == "320 ms" && texts[ViewerTexts.decode] == "40 ms")
        #expect(LoadAccount(origin: nil, work: nil).lines.map(\.text) == [ViewerTexts.notLoaded])
    }
}

struct LoadTimelineTests {
    private func entry(_ id: Int, _ start: Int, _ duration: Int, decoding: Int? = nil) -> LoadEntry {
        let metrics = ImageLoadMetrics(
            url: nil, origin: .network, duration: .milliseconds(duration), bytes: 0, loading: nil,
            processing: decoding.map { .milliseconds($0) }, error: nil)
        return LoadEntry(id: id, metrics: metrics, end: .milliseconds(start + duration))
    }

    @Test func `requests that overlap share an axis, and decoding is the end of a bar`() {
        let timeline = LoadTimeline([entry(0, 0, 100), entry(1, 50, 150, decoding: 50)])
        #expect(timeline.span == .milliseconds(200))
        #expect(timeline.rows.map(\.id) == [1, 0])
        #expect(timeline.rows[0].bar == LoadTimeline.Bar(start: 0.25, loading: 0.5, decoding: 0.25))
        #expect(timeline.rows[1].bar == LoadTimeline.Bar(start: 0, loading: 0.5, decoding: 0))
    }

    @Test func `a rest is left out: what follows starts at the left again`() {
        let timeline = LoadTimeline([entry(0, 0, 100), entry(1, 60_000, 50)])
        #expect(timeline.span == .milliseconds(100))
        #expect(timeline.rows.map(\.bar.start) == [0, 0])
    }

    @Test func `requests that took no time have an axis, too`() {
        let timeline = LoadTimeline([entry(0, 0, 0), entry(1, 0, 0)])
        #expect(timeline.rows.allSatisfy { $0.bar == LoadTimeline.Bar(start: 0, loading: 0, decoding: 0) })
    }

    @Test func `without requests there are no rows`() {
        #expect(LoadTimeline([]).rows.isEmpty)
    }
}
