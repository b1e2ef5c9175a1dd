import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing

/// A loader over real curl, a real server on loopback and a real store, and tasks that do anything with it at random.
///
/// Each image has a color of its own, so that a wrong one is noticed.
final class RandomOperations: Sendable {
    let loader: ImageLoader
    /// The operations in progress, to be named if they never end.
    let inProgress = Locked<[Int: String]>([:])
    private let folder = TemporaryFolder()
    private let origin: OriginServer
    private let prefetcher: Prefetcher
    private let done = Locked(0)

    /// The number of operations that have ended.
    var count: Int { done.withLock { $0 } }

    init() throws {
        origin = try OriginServer()
        let files = try (0..<Self.images).map { number in
            // One in two is a progressive JPEG, which has previews.
            number % 2 == 0
                ? PlainDecoder.data(48, 32, blue: Self.blue(of: number)) + Data(repeating: 0x20, count: 2000 * number)
                : try Bitmap.plain(48, 32, blue: Self.blue(of: number))
                    .encoded(as: .jpeg(quality: 90, isProgressive: true))
        }
        let answers = Locked(SplitMix(seed: 42))
        origin.onAny { request in
            answers.withLock { Self.reply(to: request, files, &$0) }
        }
        var options = ImageLoaderOptions()
        options.disk = .store(DiskStore(directory: folder.path))
        options.storage = .all
        options.memory.costLimit = 64 << 10
        options.downloads = 8
        options.undecodedBytes = 64 << 10
        options.decodeBudget = 256 << 10
        options.codecThreads = 2
        options.retry = .never
        options.decoders.register(PlainDecoder())
        options.respondsToMemoryPressure = false
        loader = ImageLoader(options)
        prefetcher = Prefetcher(loader: loader)
    }

    /// Does `operations` in sixteen tasks. The same seed chooses the same operations.
    func run(_ operations: Int, seed: UInt64) async {
        await withTaskGroup { group in
            for worker in 0..<16 {
                group.addTask { [self] in
                    var random = SplitMix(seed: seed &* 1000 &+ UInt64(worker))
                    for _ in 0..<operations / 16 {
                        await operate(worker, &random)
                        done.withLock { $0 += 1 }
                    }
                }
            }
        }
        prefetcher.stopAll()
        await prefetcher.waitUntilIdle()
    }

    /// Whether every slot, byte and flight is back.
    var isAtRest: Bool {
        let statistics = loader.statistics
        return statistics.images == 0 && statistics.imageWaiters == 0 && statistics.sources == 0
            && statistics.sourceWaiters == 0 && statistics.downloads == 0 && statistics.downloadQueue == 0
            && statistics.undecodedBytes == 0 && statistics.codecs == 0 && statistics.codecQueue == 0
    }

    // MARK: Operations

    private func operate(_ worker: Int, _ random: inout SplitMix) async {
        let number = random.number(below: Self.images)
        let request = request(number, &random)
        let kind = random.number(below: 100), pause = random.number(below: 80)
        inProgress.withLock {
            $0[worker] = "operation \(kind) of \(request.source), \(String(describing: request.size))"
        }
        defer { inProgress.withLock { $0[worker] = nil } }
        switch kind {
        case 0..<30: await load(number, cancelledAfter: nil) { [loader] in try await loader.fetch(request) }
        case 30..<60: await load(number, cancelledAfter: pause) { [loader] in try await loader.fetch(request) }
        case 60..<66: await load(number, cancelledAfter: pause) { [loader] in try await loader.lastImage(of: request) }
        case 66..<72: await load(nil, cancelledAfter: pause) { [loader] in _ = try await loader.data(for: request) }
        case 72..<76:
            await load(nil, cancelledAfter: pause) { [loader] in
                _ = try await loader.data(for: request, encodedAs: .png)
            }
        case 76..<78:
            await load(nil, cancelledAfter: pause) { [loader] in
                let sizes = [8, 16].map { ImageVariant(size: ResizeTarget(width: $0), encodedAs: .png) }
                _ = try await loader.data(for: request, variants: sizes)
            }
        case 78..<81: await load(nil, cancelledAfter: pause) { [loader] in _ = try await loader.header(for: request) }
        case 81..<87: prefetcher.start([request])
        case 87..<90: prefetcher.stop([request])
        case 90..<92: check(loader.cachedImage(for: request), number)
        case 92..<97: await loader.remove(request)
        case 97: loader.shrinkMemory()
        case 98: if pause < 8 { loader.cancelAll() }
        default: if pause < 8 { _ = try? await loader.removeAll() }
        }
    }

    private func request(_ number: Int, _ random: inout SplitMix) -> ImageRequest {
        var request = ImageRequest(origin.url("/\(Self.paths[random.number(below: Self.paths.count)])/\(number)"))
        request.size = random.number(below: 3) == 0 ? nil : ResizeTarget(width: 8 * (1 + random.number(below: 3)))
        request.steps = random.number(below: 4) == 0 ? [.flip(.horizontal)] : []
        request.policy = Self.policies[random.number(below: Self.policies.count)]
        request.previews = random.number(below: 4) == 0 ? .scans : nil
        return request
    }

    private func load(
        _ number: Int?, cancelledAfter yields: Int?, _ body: @escaping @Sendable () async throws -> Bitmap?
    ) async {
        let task = Task { try await body() }
        if let yields {
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
        }
        do {
            let bitmap = try await task.value
            if let number { check(bitmap, number) }
        } catch {
            let code = (error as? ImageError)?.code
            #expect(code.map(Self.expected.contains) == true, "\(error)")
        }
    }

    private func load(
        _ number: Int?, cancelledAfter yields: Int, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        await load(number, cancelledAfter: yields) { () -> Bitmap? in
            try await body()
            return nil
        }
    }

    private func check(_ bitmap: Bitmap?, _ number: Int) {
        guard let bitmap else { return }
        let blue = bitmap.withUnsafeBytes { Int($0[0]) }
        #expect(abs(blue - Int(Self.blue(of: number))) < 5, "image \(number) has a wrong color")
    }

    // MARK: The origin

    private static let images = 12
    private static let paths = ["image", "image", "image", "moved", "cut", "gone", "text", "slow"]
    private static let policies: [CachePolicy?] = [
        nil, nil, nil, .revalidate, .reloadIgnoringCache, .returnCacheElseLoad, .returnCacheDontLoad,
    ]
    private static let controls = ["no-cache", "max-age=600", "max-age=0, stale-while-revalidate=600", "no-store", ""]
    private static let expected: Set<ImageError.Code> = [
        .cancelled, .notInCache, .badStatus, .connectionFailed, .truncated, .notAnImage,
    ]

    private static func blue(of number: Int) -> UInt8 { UInt8(20 * number + 10) }

    private static func reply(to request: OriginRequest, _ files: [Data], _ random: inout SplitMix) -> OriginReply {
        let parts = request.path.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[1]), files.indices.contains(number) else { return .status(404) }
        let file = files[number], tag = "\"\(number)\""
        let fields: HTTPFields = [
            "Cache-Control": ByteString(controls[random.number(below: controls.count)]), "ETag": ByteString(tag),
        ]
        var reply = OriginReply(fields: fields, body: file)
        if request.fields["If-None-Match"]?.string == tag { reply = OriginReply(status: 304, fields: fields) }
        switch parts[0] {
        case "moved":
            var moved = OriginReply.redirect(to: "/image/\(number)")
            moved.fields["Cache-Control"] = fields["Cache-Control"]
            return moved
        case "cut": return random.number(below: 2) == 0 ? reply.droppedAfter(bytes: 10) : reply
        case "gone": return random.number(below: 2) == 0 ? .status(404) : reply.resetImmediately()
        case "text": return .html("No image here")
        case "slow": return reply.dripping(bytes: 1000, every: .milliseconds(2))
        default: return reply
        }
    }
}

extension ImageLoader {
    fileprivate func lastImage(of request: ImageRequest) async throws -> Bitmap? {
        for try await event in events(for: request) { if let response = event.response { return response.bitmap } }
        return nil
    }
}
