import Calotype
import CalotypeConsole
import CalotypeListener

struct DemoShow: Sendable {
    let origin: PhotoOrigin
    let collection: PhotoCollection
    let console: Console
    /// The directory of the cache of all stages but one, which needs an empty cache and uses `secondCache`.
    let firstCache: String
    let secondCache: String

    private static let screen = ResizeTarget(width: 1280, height: 1280)
    private static let threeSizes = [
        ResizeTarget(width: 200), ResizeTarget(width: 400, height: 300, mode: .fill), screen,
    ]

    func perform() async throws(Failure) -> (stages: [DemoStage], sheet: Data) {
        let count = origin.urls.count
        var stages = try await withLoader(firstCache) { loader throws(Failure) in
            [
                try await stage("cold", loader, requests: count, from: .network),
                try await stage("from memory", loader, requests: 0, from: .memory),
            ]
        }
        stages += try await withLoader(firstCache) { loader throws(Failure) in
            [try await stage("from disk, in a new loader", loader, requests: 0, from: .disk)]
        }
        stages += try await withLoader(secondCache) { loader throws(Failure) in
            // Each photograph is downloaded once. Requests that start later, at other sizes, find its file on disk.
            [
                try await stage(
                    "at three sizes, cold", at: DemoShow.threeSizes, loader, requests: count, from: .network, .disk)
            ]
        }
        origin.listener.stop()
        let (offline, sheet) = try await withLoader(firstCache) { loader throws(Failure) in
            (
                try await stage("with the server stopped", loader, requests: 0, from: .disk),
                try await contactSheet(loader)
            )
        }
        stages.append(offline)
        console.status(nil)
        return (stages, sheet)
    }

    /// Runs `body` with a new loader, whose memory cache is empty, and then closes the loader's store.
    private func withLoader<Value>(
        _ directory: String, _ body: (ImageLoader) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        var limits = DiskStoreOptions()
        // The store must hold every photograph, because the last stage runs without the server.
        limits.byteLimit = 2 * collection.byteCount + 10_000_000
        let store = DiskStore(directory: directory, options: limits)
        var options = ImageLoaderOptions()
        options.disk = .store(store)
        options.memory.costLimit = 512 << 20
        do throws(Failure) {
            let value = try await body(ImageLoader(options))
            await store.closeForGood()
            return value
        } catch {
            // A store that is still writing would recreate the directory after the demo has removed it.
            await store.closeForGood()
            throw error
        }
    }

    private func stage(
        _ name: String, at sizes: [ResizeTarget] = [screen], _ loader: ImageLoader, requests: Int,
        from layers: ImageResponse.Origin...
    ) async throws(Failure) -> DemoStage {
        console.status("\(name) …")
        let before = origin.requestCount
        let start = ContinuousClock.now
        let images = origin.urls.flatMap { url in sizes.map { ImageRequest(url, size: $0) } }
        let outcomes = await outcomes(of: images, loader)
        let duration = ContinuousClock.now - start
        if Task.isCancelled { throw .cancelled }
        return DemoStage(
            name: name, outcomes: outcomes, duration: duration, requests: origin.requestCount - before,
            bytes: collection.byteCount, expectedRequests: requests, expectedLayers: layers)
    }

    /// Starts all requests at once: there are a few hundred at most, and the loader limits how many run.
    private func outcomes(of images: [ImageRequest], _ loader: ImageLoader) async -> [DemoStage.Outcome] {
        await withTaskGroup(of: DemoStage.Outcome.self) { group in
            for image in images {
                group.addTask {
                    do throws(ImageError) {
                        return .success(try await loader.response(for: image).origin)
                    } catch {
                        return .failure(Failure(code: error.code.rawValue, "\(error)"))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Makes the contact sheet from the cache, because the server has stopped.
    private func contactSheet(_ loader: ImageLoader) async throws(Failure) -> Data {
        console.status("contact sheet …")
        var tiles: [Bitmap] = []
        for url in origin.urls {
            // Ignores errors, because the stages have already reported the photographs that cannot be loaded.
            if let tile = try? await loader.fetch(ImageRequest(url, size: ContactSheet.tile)) { tiles.append(tile) }
        }
        if Task.isCancelled { throw .cancelled }
        do throws(CodecError) { return try await ContactSheet.png(of: tiles) } catch { throw Failure(error) }
    }
}
