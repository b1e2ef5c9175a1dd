import Calotype
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

/// One flight used to keep the bytes of an original for another flight of the same original, which waited for the room
/// that these bytes took: the loader deadlocked.
@Suite struct ManySizesTests {
    enum Place: String, CaseIterable { case originals, all, file, nowhere }

    private static let seeds: UInt64 = 40

    /// The time limit cancels a schedule that hangs, and names it.
    @Test(.timeLimit(.minutes(10)), arguments: Place.allCases)
    func `twelve sizes of a large image end, with one download and room for one byte`(_ place: Place) async throws {
        let sizes = ManySizes(place)
        for seed in 0..<ManySizesTests.seeds where !Task.isCancelled { try await sizes.run(seed) }
    }
}

private struct ManySizes {
    private static let body = PlainDecoder.data(64, 48) + Data(repeating: 0x20, count: 150_000)

    private let place: ManySizesTests.Place
    private let folder = TemporaryFolder()
    private let file = TemporaryFolder()
    private let store: DiskStore
    private let transport = FakeTransport { request in
        HTTPResponse(
            url: request.url, status: 200,
            fields: ["Content-Length": "\(body.count)", "Cache-Control": "max-age=600"],
            body: .chunks(of: body, size: 10_000, gate: Gate(isOpen: true)))
    }

    init(_ place: ManySizesTests.Place) {
        self.place = place
        store = DiskStore(directory: folder.path)
    }

    /// Two rounds request each image, so that the second finds images of some sizes in the store.
    func run(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let loader = loader(&random)
        let source = try await source(number: seed / 2, loader)
        let known = transport.requestCount
        let widths = Array(1...24).shuffled(using: &random).prefix(12)
        let tasks = widths.map { width in
            let request = ImageRequest(
                source: source, size: ResizeTarget(width: width),
                steps: Array([CountingStep("step")].prefix(Int.random(in: 0...1, using: &random))))
            let pauses = Int.random(in: 0...20, using: &random)
            // Most waiters stay to the end.
            let leaves = Int.random(in: 0..<10, using: &random) == 0
            let patience = Int.random(in: 0...20, using: &random)
            return Task {
                for _ in 0..<pauses { await Task.yield() }
                let load = Task { try await loader.fetch(request).width }
                if leaves {
                    for _ in 0..<patience { await Task.yield() }
                    load.cancel()
                }
                let result = await withTaskCancellationHandler {
                    await load.result
                } onCancel: {
                    load.cancel()
                }
                check(result, width, mayLeave: leaves, seed)
            }
        }
        for task in tasks {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
        await waitUntil { loader.statistics.undecodedBytes == 0 && loader.statistics.images == 0 }
        if place != .nowhere { #expect(transport.requestCount == known, "seed \(seed)") }
    }

    private func loader(_ random: inout SplitMix) -> ImageLoader {
        var options = ImageLoaderOptions.ephemeral
        if place == .originals || place == .all { options.disk = .store(store) }
        if place == .all { options.storage = .all }
        options.transport = transport
        options.retry = .never
        options.decoders.register(PlainDecoder())
        options.respondsToMemoryPressure = false
        options.memory.costLimit = 0
        options.downloads = 1
        options.undecodedBytes = 1
        options.codecThreads = Int.random(in: 1...3, using: &random)
        return ImageLoader(options)
    }

    /// Returns the source of an image, stored beforehand unless the place is `nowhere`.
    private func source(number: UInt64, _ loader: ImageLoader) async throws -> ImageSource {
        switch place {
        case .originals, .all:
            _ = try await loader.fetch(URL.photo(number))
            try await store.flush()
            return .url(.photo(number))
        case .file:
            let url = URL(filePath: file.path)
            try ManySizes.body.write(to: url)
            return .file(url)
        case .nowhere:
            return .url(.photo(number))
        }
    }

    private func check(_ result: Result<Int, any Error>, _ width: Int, mayLeave: Bool, _ seed: UInt64) {
        switch result {
        case .success(let made): #expect(made == width, "seed \(seed)")
        case .failure(let error):
            #expect(mayLeave && (error as? ImageError)?.code == .cancelled, "seed \(seed), width \(width): \(error)")
        }
    }
}
