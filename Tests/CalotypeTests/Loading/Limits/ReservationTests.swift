import CalotypeBase
import CalotypeCodecs
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Testing
import Waiting

@testable import Calotype

/// The memory of an image stays reserved from its decode until it is encoded or handed out.
@Suite struct ReservationTests {
    /// The number of decoded images that are not encoded yet, and its maximum.
    private final class Live: Sendable {
        private let counts = Locked((now: 0, peak: 0, encoded: 0))

        var peak: Int { counts.withLock { $0.peak } }
        var encoded: Int { counts.withLock { $0.encoded } }

        func begin() { counts.withLock { ($0.now, $0.peak) = ($0.now + 1, max($0.peak, $0.now + 1)) } }
        func end() { counts.withLock { ($0.now, $0.encoded) = ($0.now - 1, $0.encoded + 1) } }
    }

    /// Distinguishes the first of several calls.
    private final class First: Sendable {
        private let isUsed = Locked(false)

        func isNow() -> Bool {
            isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
        }
    }

    /// An encoder of the tests' own format, which counts and pauses.
    private struct PlainEncoder: ImageEncoder {
        let live: Live
        var gate = Gate(isOpen: true)
        var fails = false

        var format: ImageFormat { ImageFormat(rawValue: "plain") }

        func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
            gate.waitBlocking()
            live.end()
            if fails { throw CodecError(.encodingFailed, "broken") }
            return PlainDecoder.data(bitmap.width, bitmap.height, blue: bitmap.blue)
        }
    }

    private static let side = 100
    /// The memory of a whole request: the encoder takes twice the bitmap's.
    private static let whole = 2 * 4 * side * side
    private let live = Live()
    private let folder = TemporaryFolder()

    private func fixture(
        budget: Int, threads: Int = 1, _ change: (inout ImageLoaderOptions) -> Void = { _ in },
        hook: @escaping @Sendable () -> Void = {}
    ) -> LoaderFixture {
        LoaderFixture(
            decodeHook: { [live] in
                hook()
                live.begin()
            },
            options: { options in
                options.decodeBudget = budget
                options.codecThreads = threads
                options.memory.costLimit = 0
                change(&options)
            },
            answering: { request in .picture(request, width: Self.side, height: Self.side) })
    }

    private func request(_ number: Int, _ steps: [any ImageStep] = []) -> ImageRequest {
        ImageRequest(.photo(number), steps: steps)
    }

    /// After any end, nothing may stay reserved: an image above the whole budget must start, and it starts alone.
    private func checkNothingIsReserved(_ fixture: LoaderFixture) async throws {
        let request = ImageRequest(source: .custom(id: "huge") { PlainDecoder.data(1000, 1000) })
        #expect(try await fixture.loader.fetch(request).width == 1000)
    }

    enum Kind: CaseIterable { case plain, steps, stored, sharedSteps }

    @Test(.requirement("C1"), arguments: Kind.allCases, [1, 2])
    func `200 images at once are encoded while few are decoded`(_ kind: Kind, threads: Int) async throws {
        let first = CodecPause(), isFirst = First()
        let fixture = fixture(budget: 3 * Self.whole, threads: threads) { options in
            guard kind == .stored else { return }
            options.disk = .store(DiskStore(directory: folder.path))
            options.storage = .all
        } hook: {
            if isFirst.isNow() { first.stop() }
        }
        let format = EncodingFormat(PlainEncoder(live: live))
        let tasks = (0..<200).map { number in
            let steps: [any ImageStep] =
                switch kind {
                case .plain: []
                case .steps, .stored: [CountingStep("a"), CountingStep("b \(number)")]
                case .sharedSteps: [CountingStep("a"), CountingStep("b \(number)")]
                }
            let request = request(kind == .sharedSteps ? number % 2 : number, steps)
            return Task { try await fixture.loader.data(for: request, encodedAs: format) }
        }
        // All that can wait for a codec thread do so before the first decode ends.
        await first.waitUntilStopped()
        if kind == .plain || kind == .steps, threads == 1 {
            await waitUntil { fixture.loader.statistics.codecQueue == 199 }
        }
        first.goOn()
        for task in tasks { #expect(try await task.value == PlainDecoder.data(Self.side, Self.side)) }
        #expect(live.encoded == 200)
        if kind != .sharedSteps { #expect(live.peak <= 4) }
        try await checkNothingIsReserved(fixture)
        try await fixture.loader.diskStore?.close()
    }

    @Test(.requirement("C1"), arguments: Kind.allCases)
    func `200 images at once end with room for one byte and one thread`(_ kind: Kind) async throws {
        let fixture = fixture(budget: 1) { options in
            options.undecodedBytes = 1
            options.downloads = 1
            guard kind == .stored else { return }
            options.disk = .store(DiskStore(directory: folder.path))
            options.storage = .all
        }
        let format = EncodingFormat(PlainEncoder(live: live))
        let tasks = (0..<200).map { number in
            let steps: [any ImageStep] =
                kind == .plain
                ? [] : [CountingStep("a"), CountingStep("b \(number % 50)"), CountingStep("c \(number)")]
            let request = request(kind == .sharedSteps ? 0 : number, steps)
            return Task { try await fixture.loader.data(for: request, encodedAs: format) }
        }
        for task in tasks { _ = try await task.value }
        try await checkNothingIsReserved(fixture)
        try await fixture.loader.diskStore?.close()
    }

    @Test(.requirement("C1")) func `a bitmap that is handed out is no longer reserved`() async throws {
        let fixture = fixture(budget: Self.whole)
        let bitmap = try await fixture.loader.fetch(request(1))
        let response = try await fixture.loader.response(for: request(2, [CountingStep("a")]))
        try await checkNothingIsReserved(fixture)
        #expect(bitmap.width == response.bitmap.width)
    }

    @Test(.requirement("C1")) func `waiters of one image hand it out and encode it, each as it asked`() async throws {
        let fixture = fixture(budget: 1)
        let gate = Gate()
        let source = ImageSource.custom(id: "shared") {
            await gate.wait()
            return PlainDecoder.data(Self.side, Self.side)
        }
        let request = ImageRequest(source: source)
        let formats =
            (0..<20).map { _ in EncodingFormat(PlainEncoder(live: live)) } + [.png, .webp(), .avif(), .jpeg()]
        let fetches = (0..<5).map { _ in Task { try await fixture.loader.fetch(request) } }
        let encodes = formats.map { format in
            Task { try await fixture.loader.data(for: request, encodedAs: format) }
        }
        await fixture.waitForWaiters(images: 5 + formats.count, sources: 1)
        gate.open()
        for task in fetches { _ = try await task.value }
        for task in encodes { #expect(try await !task.value.isEmpty) }
        #expect(fixture.decoder.decodeCount == 1)
        try await checkNothingIsReserved(fixture)
    }

    // MARK: Several sizes

    private func variants(_ encoder: PlainEncoder, _ steps: [any ImageStep] = []) -> [ImageVariant] {
        [
            ImageVariant(steps: steps, encodedAs: EncodingFormat(encoder)),
            ImageVariant(size: ResizeTarget(width: Self.side / 2), encodedAs: .png),
        ]
    }

    @Test(.requirement("C1"), arguments: [1, 2])
    func `200 calls for several sizes at once encode while few are decoded`(threads: Int) async throws {
        let fixture = fixture(budget: 3 * Self.whole, threads: threads)
        let variants = variants(PlainEncoder(live: live))
        let tasks = (0..<200).map { number in
            Task { try await fixture.loader.data(for: request(number), variants: variants) }
        }
        for task in tasks { #expect(try await task.value.first == PlainDecoder.data(Self.side, Self.side)) }
        #expect(live.encoded == 200 && live.peak <= 4)
        #expect(fixture.decoder.decodeCount == 200)
        try await checkNothingIsReserved(fixture)
    }

    @Test(.requirement("C1")) func `200 calls for several sizes end with room for one byte`() async throws {
        let fixture = fixture(budget: 1) { options in
            options.undecodedBytes = 1
            options.downloads = 1
        }
        let variants = variants(PlainEncoder(live: live))
        let tasks = (0..<200).map { number in
            Task { try await fixture.loader.data(for: request(number % 50), variants: variants) }
        }
        for task in tasks { #expect(try await task.value.count == 2) }
        try await checkNothingIsReserved(fixture)
    }

    @Test(.requirement("C1"), arguments: Stage.allCases)
    func `a call for several sizes that is cancelled in any stage gives its memory back`(_ stage: Stage) async throws {
        let gate = Gate(), isFirst = First()
        let fixture = fixture(budget: Self.whole) { _ in
        } hook: {
            if stage == .decode, isFirst.isNow() { gate.waitBlocking() }
        }
        let encoder = PlainEncoder(live: live, gate: stage == .encode ? gate : Gate(isOpen: true))
        let variants = variants(encoder, stage == .step ? [HoldingStep(gate: gate)] : [])
        let task = Task { try await fixture.loader.data(for: request(1), variants: variants) }
        await gate.waitForWaiters(1)
        task.cancel()
        #expect(await imageError { try await task.value }?.code == .cancelled)
        gate.open()
        try await checkNothingIsReserved(fixture)
    }

    @Test(.requirement("C1"), arguments: Stage.allCases)
    func `a call for several sizes that fails in any stage gives its memory back`(_ stage: Stage) async throws {
        let fixture = fixture(budget: Self.whole)
        let failing = ImageSteps.CustomStep(key: "failing") { _ in throw CodecError(.stepFailed, "broken") }
        let source =
            stage == .decode
            ? ImageSource.custom(id: "bad") { Data("PLAIN 100 100 999".utf8) } : ImageSource.url(.photo())
        let variants = variants(PlainEncoder(live: live, fails: true), stage == .step ? [failing] : [])
        let error = await imageError {
            try await fixture.loader.data(for: ImageRequest(source: source), variants: variants)
        }
        let codes: [Stage: ImageError.Code] = [
            .decode: .damagedImage, .step: .stepFailed, .encode: .encodingFailed,
        ]
        #expect(error?.code == codes[stage])
        try await checkNothingIsReserved(fixture)
    }

    // MARK: Ends

    enum Stage: CaseIterable { case decode, step, encode }

    /// Holds a codec thread in one stage.
    private struct HoldingStep: ImageStep {
        let gate: Gate
        let key = "hold"

        func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap {
            gate.waitBlocking()
            return bitmap
        }
    }

    @Test(.requirement("C1"), arguments: Stage.allCases)
    func `a request cancelled in any stage gives its memory back`(_ stage: Stage) async throws {
        let gate = Gate(), isFirst = First()
        let fixture = fixture(budget: Self.whole) { _ in
        } hook: {
            if stage == .decode, isFirst.isNow() { gate.waitBlocking() }
        }
        let encoder = PlainEncoder(live: live, gate: stage == .encode ? gate : Gate(isOpen: true))
        let request = request(
            1, stage == .step ? [HoldingStep(gate: gate), CountingStep("after")] : [CountingStep("a")])
        let task = Task { try await fixture.loader.data(for: request, encodedAs: EncodingFormat(encoder)) }
        await gate.waitForWaiters(1)
        task.cancel()
        if stage != .encode { #expect(await imageError { try await task.value }?.code == .cancelled) }
        gate.open()
        _ = await task.result
        try await checkNothingIsReserved(fixture)
    }

    @Test(.requirement("C1"), arguments: Stage.allCases)
    func `a request that fails in any stage gives its memory back`(_ stage: Stage) async throws {
        let fixture = fixture(budget: Self.whole)
        let failing = ImageSteps.CustomStep(key: "failing") { _ in throw CodecError(.stepFailed, "broken") }
        let source =
            stage == .decode
            ? ImageSource.custom(id: "bad") { Data("PLAIN 100 100 999".utf8) } : ImageSource.url(.photo())
        let request = ImageRequest(source: source, steps: stage == .step ? [CountingStep("a"), failing] : [])
        let format = EncodingFormat(PlainEncoder(live: live, fails: true))
        let error = await imageError { try await fixture.loader.data(for: request, encodedAs: format) }
        let codes: [Stage: ImageError.Code] = [
            .decode: .damagedImage, .step: .stepFailed, .encode: .encodingFailed,
        ]
        #expect(error?.code == codes[stage])
        try await checkNothingIsReserved(fixture)
    }

    @Test(.requirement("C1")) func `a waiter that leaves keeps nothing from the others`() async throws {
        let gate = Gate(), isFirst = First()
        let fixture = fixture(budget: Self.whole) { _ in
        } hook: {
            if isFirst.isNow() { gate.waitBlocking() }
        }
        let format = EncodingFormat(PlainEncoder(live: live))
        let tasks = (0..<3).map { number in
            let request = request(1, [CountingStep("a"), CountingStep("b \(number)")])
            return Task { try await fixture.loader.data(for: request, encodedAs: format) }
        }
        await gate.waitForWaiters(1)
        await waitUntil { fixture.loader.statistics.imageWaiters >= 6 }
        tasks[0].cancel()
        gate.open()
        for task in tasks.dropFirst() { #expect(try await !task.value.isEmpty) }
        _ = await tasks[0].result
        #expect(fixture.decoder.decodeCount == 1)
        try await checkNothingIsReserved(fixture)
    }

    // MARK: The memory of a stage

    @Test(.requirement("C1")) func `the memory of later work follows from the size before it`() {
        let size = PixelSize(width: 100, height: 50), bytes = 4 * 100 * 50
        let none = LaterWork(steps: [], encoding: nil, isStored: false)
        #expect(none.peakBytes(of: size, hasAlpha: false) == bytes)
        let encoding = LaterWork(
            steps: [], encoding: EncodingMemory { size, _ in 3 * 4 * size.width * size.height }, isStored: false)
        #expect(encoding.peakBytes(of: size, hasAlpha: false) == 3 * bytes)
        // The image, and then its enlargement with the encoder.
        let steps: [any ImageStep] = [.resize(width: 200, height: 100, mode: .exact, upscales: true)]
        let enlarging = LaterWork(steps: steps[...], encoding: encoding.encoding, isStored: false)
        #expect(enlarging.peakBytes(of: size, hasAlpha: false) >= bytes + 3 * 4 * bytes)
        let huge: [any ImageStep] = [ImageSteps.Pad(1 << 30), ImageSteps.Pad(1 << 30), ImageSteps.Pad(1 << 30)]
        #expect(
            LaterWork(steps: huge[...], encoding: EncodingMemory { _, _ in .max }, isStored: true)
                .peakBytes(of: size, hasAlpha: false)
                > 1 << 40)
    }
}
