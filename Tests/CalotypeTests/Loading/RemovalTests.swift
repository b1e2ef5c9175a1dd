import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeMemory
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// Images that arrive too late to be stored: removed, cancelled or invalidated. They used to be stored all the same.
@Suite struct RemovalTests {
    enum Removal: CaseIterable { case one, all }

    private let folder = TemporaryFolder()
    private let photo = ImageRequest(.photo())

    private func remove(_ removal: Removal, _ request: ImageRequest, from loader: ImageLoader) async throws {
        switch removal {
        case .one: await loader.remove(request)
        case .all: try await loader.removeAll()
        }
    }

    private func expectNothingStored(_ request: ImageRequest, in loader: ImageLoader) async throws {
        #expect(loader.cachedImage(for: request) == nil)
        let stored = try await loader.diskStore?.list()
        #expect(stored?.isEmpty == true)
    }

    @Test(arguments: Removal.allCases)
    func `a load whose image is removed before its head has come answers, and refills nothing`(removal: Removal)
        async throws
    {
        let gate = Gate()
        let room = folder.room(gate: gate)
        let load = Task { try await room.loader.fetch(photo).blue }
        await gate.waitForWaiters(1)
        try await remove(removal, photo, from: room.loader)
        gate.open()
        #expect(try await load.value == 200)
        try await expectNothingStored(photo, in: room.loader)
        _ = try await room.loader.fetch(photo)
        #expect(room.transport.requestCount == 2)
        #expect(room.loader.cachedImage(for: photo) != nil)
    }

    @Test(arguments: Removal.allCases)
    func `nor does one whose body is on its way, and later requests start afresh`(removal: Removal) async throws {
        let gate = Gate()
        let count = Counter()
        let room = folder.room(answering: { request in
            let data = PlainDecoder.data(blue: UInt8(count.next()))
            let fields: HTTPFields = ["Content-Length": "\(data.count)", "Cache-Control": "max-age=60"]
            return HTTPResponse(
                url: request.url, status: 200, fields: fields, body: .chunks(of: data, size: 4, gate: gate))
        })
        let early = Task { try await room.loader.fetch(photo).blue }
        await gate.waitForWaiters(1)
        try await remove(removal, photo, from: room.loader)
        let late = Task { try await room.loader.fetch(photo).blue }
        await gate.waitForWaiters(2)
        #expect(room.transport.requestCount == 2)
        gate.open()
        #expect(try await early.value == 1)
        #expect(try await late.value == 2)
        #expect(room.loader.cachedImage(for: photo)?.blue == 2)
        try await room.loader.diskStore?.flush()
        #expect(try await folder.room().loader.response(for: photo).bitmap.blue == 2)
    }

    @Test(arguments: Removal.allCases)
    func `nor does one that is being decoded, of the web, of a custom source or processed`(removal: Removal)
        async throws
    {
        let sized = ResizeTarget(width: 2)
        let sources = [ImageSource.url(.photo()), .custom(id: "1") { PlainDecoder.data() }]
        for (number, source) in sources.enumerated() {
            let pause = CodecPause()
            let folder = TemporaryFolder()
            let room = LoaderFixture(
                decodeHook: { pause.stop() },
                options: {
                    $0.disk = .store(DiskStore(directory: folder.path))
                    $0.storage = .all
                })
            let request = ImageRequest(source: source, size: number == 0 ? nil : sized)
            let load = Task { try await room.loader.fetch(request) }
            await pause.waitUntilStopped()
            try await remove(removal, request, from: room.loader)
            pause.goOn()
            _ = try await load.value
            try await expectNothingStored(request, in: room.loader)
        }
    }

    enum Stage: CaseIterable { case preparation, exchange }

    /// The refresh's second half used to count removals from its own start: an exchange begun after one was stored.
    @Test(.timeLimit(.minutes(5)), arguments: Removal.allCases, Stage.allCases)
    func `a refresh brings nothing back that was removed since the look at memory`(_ removal: Removal, at stage: Stage)
        async throws
    {
        let clock = ManualClock()
        let gate = Gate()
        let (preparations, requests) = (Counter(), Counter())
        let room = folder.room(
            clock: clock,
            options: { options in
                options.prepare = { request in
                    // The second preparation belongs to the refresh.
                    if preparations.next() == 2, stage == .preparation { await gate.wait() }
                    return request
                }
            },
            answering: { request in
                let number = requests.next()
                if number == 2, stage == .exchange { await gate.wait() }
                let data = PlainDecoder.data(blue: UInt8(number))
                let fields: HTTPFields = [
                    "Content-Length": "\(data.count)", "Cache-Control": "max-age=60, stale-while-revalidate=100",
                ]
                return HTTPResponse(url: request.url, status: 200, fields: fields, body: HTTPBody(data))
            })
        try await room.fetchAndFlush(photo)
        clock.advance(by: .seconds(70))
        #expect(room.loader.cachedImage(for: photo)?.blue == 1)
        await gate.waitForWaiters(1)
        try await remove(removal, photo, from: room.loader)
        gate.open()
        await waitUntil { room.loader.statistics.images == 0 && room.loader.statistics.sources == 0 }
        try await expectNothingStored(photo, in: room.loader)
    }

    /// A view in teardown removes its image from a cancelled task.
    @Test(arguments: [true, false])
    func `a removal in a cancelled task removes all the same`(prepares: Bool) async throws {
        try await folder.room().fetchAndFlush(photo)
        let room = folder.room(options: { if prepares { $0.prepare = { $0 } } })
        let gate = Gate()
        let removal = Task {
            await gate.wait()
            await room.loader.remove(photo)
        }
        removal.cancel()
        gate.open()
        await removal.value
        try await expectNothingStored(photo, in: room.loader)
        try await room.loader.diskStore?.flush()
        let later = folder.room()
        _ = try await later.loader.fetch(photo)
        #expect(later.transport.requestCount == 1)
    }

    /// A removed image used to be made again from the one before its last step.
    @Test func `a removed image returns from none of the images that it may be made from`() async throws {
        let version = Counter()
        let room = LoaderFixture(answering: { .picture($0, blue: UInt8(version.next())) })
        var request = ImageRequest(.photo(), size: ResizeTarget(width: 2))
        request.steps = [CountingStep("first"), CountingStep("second")]
        request.acceptsLargerImages = true
        var others = (0...1).map { count in
            var before = request
            before.steps = Array(request.steps.prefix(count))
            return before
        }
        others += [photo, ImageRequest(.photo(), size: ResizeTarget(width: 3))]
        for other in others + [request] { _ = try await room.loader.fetch(other) }
        await room.loader.remove(request)
        for other in others { #expect(room.loader.cachedImage(for: other) == nil) }
        let known = version.count
        #expect(try await room.loader.fetch(request).blue > known)
    }

    @Test func `an image that is removed leaves others alone`() async throws {
        let gate = Gate()
        let room = folder.room(gate: gate)
        let load = Task { try await room.loader.fetch(.photo(2)) }
        await gate.waitForWaiters(1)
        await room.loader.remove(photo)
        let joining = Task { try await room.loader.fetch(.photo(2)) }
        await room.waitForWaiters(images: 2, sources: 1)
        gate.open()
        _ = try await (load.value, joining.value)
        #expect(room.transport.requestCount == 1)
        #expect(room.loader.cachedImage(for: URL.photo(2)) != nil)
    }

    @Test(arguments: [true, false])
    func `an image cancelled or invalidated in mid-decode does not enter memory`(isCancelled: Bool) async throws {
        let pause = CodecPause()
        let room = LoaderFixture(decodeHook: { pause.stop() })
        weak var work: Counter?
        func start() -> Task<Void, Never> {
            let held = Counter()
            work = held
            let source = ImageSource.custom(id: "1") {
                held.next()
                return PlainDecoder.data()
            }
            return Task { _ = try? await room.loader.fetch(ImageRequest(source: source)) }
        }
        let load = start()
        await pause.waitUntilStopped()
        if isCancelled { load.cancel() } else { room.loader.invalidate() }
        await load.value
        pause.goOn()
        // The flight releases its source last.
        await waitUntil { work == nil }
        #expect(room.loader.statistics.memory.count == 0)
    }
}
