import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import CalotypeTransport
import Foundation
import Testing
import Waiting

/// No stage waits for a resource that another stage holds: with one download, one byte of room and one codec thread
/// every schedule ends.
@Suite struct ScheduleTests {
    @Test(.timeLimit(.minutes(5)), arguments: 0..<20)
    func `with one of everything all requests end, whatever happens meanwhile`(_ block: Int) async throws {
        for seed in 0..<100 { try await Schedule(seed: UInt64(block * 100 + seed)).run() }
    }
}

private struct Schedule {
    private let seed: UInt64
    private let folder = TemporaryFolder()
    private let clock = ManualClock()
    private let origin: Origin

    init(seed: UInt64) {
        self.seed = seed
        origin = Origin(SplitMix(seed: seed &+ 1_000_000))
    }

    func run() async throws {
        var random = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        let loader = loader(&random)
        let steps = [CountingStep("first"), CountingStep("second")]
        var tasks: [Task<Void, any Error>] = []
        for _ in 0..<Int.random(in: 4...12, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: origin.change()
            case 1: damage()
            case 2: clock.advance(by: .seconds(100))
            case 3: tasks.randomElement(using: &random)?.cancel()
            default: tasks.append(start(loader, steps, &random))
            }
            for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
        }
        for task in tasks { check(await task.result) }
        await waitUntil { isAtRest(loader.statistics) }
        try await loader.diskStore?.close()
    }

    private func loader(_ random: inout SplitMix) -> ImageLoader {
        var disk = DiskStoreOptions()
        disk.inlineLimit = Bool.random(using: &random) ? 0 : 1 << 20
        var options = ImageLoaderOptions.ephemeral
        options.disk =
            Int.random(in: 0..<4, using: &random) == 0
            ? .none : .store(DiskStore(directory: folder.path, options: disk, wallClock: clock.wall))
        options.storage = [.originals, .encoded, .automatic, .all].randomElement(using: &random) ?? .all
        options.transport = FakeTransport { [origin] request in await origin.answer(request) }
        options.retry = .never
        options.downloads = 1
        options.undecodedBytes = 1
        options.codecThreads = 1
        options.decodeBudget = Bool.random(using: &random) ? 1 : 256 << 20
        options.wallClock = clock.wall
        options.decoders.register(PlainDecoder())
        options.respondsToMemoryPressure = false
        return ImageLoader(options)
    }

    private func start(_ loader: ImageLoader, _ steps: [CountingStep], _ random: inout SplitMix) -> Task<
        Void, any Error
    > {
        let name = Int.random(in: 0..<3, using: &random)
        let custom = ImageSource.custom(id: "\(name)") { Origin.body(blue: 1) }
        var request = ImageRequest(source: Int.random(in: 0..<5, using: &random) == 0 ? custom : .url(.photo(name)))
        let width = Int.random(in: 1...4, using: &random)
        request.size = width == 4 ? nil : ResizeTarget(width: width)
        request.steps = Array(steps.prefix(Int.random(in: 0...2, using: &random)))
        let policies: [CachePolicy] = [
            .useProtocol, .useProtocol, .useProtocol, .revalidate, .reloadIgnoringCache, .returnCacheElseLoad,
            .returnCacheDontLoad,
        ]
        request.policy = policies.randomElement(using: &random) ?? .useProtocol
        let kind = Int.random(in: 0..<6, using: &random)
        return Task { [request] in
            switch kind {
            case 0: _ = try await loader.data(for: request)
            case 1, 2: _ = try await loader.data(for: request, encodedAs: .png)
            default: _ = try await loader.fetch(request)
            }
        }
    }

    /// Damages bodies on disk: some vanish, some change.
    ///
    /// Only finished bodies: a loss of the file that is being written is a failed write, and `close()` reports it.
    private func damage() {
        let blobs = folder.path + "/blobs"
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: blobs)) ?? []
        for path in paths.map({ blobs + "/" + $0 }) {
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
            guard size == Origin.body(blue: 1).count else { continue }
            if path.utf8.last.map({ $0 % 2 == 0 }) == true {
                try? FileManager.default.removeItem(atPath: path)
            } else {
                try? Data(repeating: 1, count: Origin.body(blue: 1).count).write(to: URL(filePath: path))
            }
        }
    }

    private func check(_ result: Result<Void, any Error>) {
        guard case .failure(let error) = result else { return }
        let code = (error as? ImageError)?.code
        #expect(code == .cancelled || code == .notInCache, "schedule \(seed): \(error)")
    }

    private func isAtRest(_ statistics: LoaderStatistics) -> Bool {
        statistics.undecodedBytes == 0 && statistics.downloadQueue == 0 && statistics.images == 0
            && statistics.sources == 0
    }
}

/// Serves images that change, with and without lengths and tags, whole or in pieces.
private final class Origin: Sendable {
    private let state: Locked<(random: SplitMix, blue: UInt8)>

    init(_ random: SplitMix) { state = Locked((random, 1)) }

    static func body(blue: UInt8) -> Data {
        // The same length for every color.
        PlainDecoder.data(8, 6, blue: 100 + blue % 100) + Data(repeating: 0x20, count: 3000)
    }

    func change() { state.withLock { $0.blue &+= 1 } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let (blue, kind, pauses, control) = state.withLock { state in
            let controls = ["no-cache", "max-age=50", "max-age=50, stale-while-revalidate=200", "no-store", ""]
            return (
                state.blue, Int.random(in: 0..<4, using: &state.random), Int.random(in: 0..<10, using: &state.random),
                controls.randomElement(using: &state.random) ?? ""
            )
        }
        for _ in 0..<pauses { await Task.yield() }
        let tag = "\"\(blue)\""
        var fields: HTTPFields = ["Cache-Control": "\(control)", "ETag": "\(tag)"]
        if request.fields["If-None-Match"]?.string == tag {
            return HTTPResponse(url: request.url, status: 304, fields: fields, body: HTTPBody(Pieces(Data())))
        }
        let body = Origin.body(blue: blue)
        if kind % 2 == 0 { fields["Content-Length"] = "\(body.count)" }
        return HTTPResponse(
            url: request.url, status: 200, fields: fields, body: kind < 2 ? HTTPBody(body) : HTTPBody(Pieces(body)))
    }
}

/// A body in pieces, with a pause before each.
private final class Pieces: HTTPBodySource {
    private let rest: Locked<Data>

    init(_ data: Data) { rest = Locked(data) }

    func next() async throws(TransportError) -> Data? {
        await Task.yield()
        if Task.isCancelled { throw .cancelled }
        return rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest = Data(rest.dropFirst(1000)) }
            return Data(rest.prefix(1000))
        }
    }
}
