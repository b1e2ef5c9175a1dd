import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeUI
import Foundation
import Requirements
import Testing
import Waiting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite struct ReplaceablePartsTests {
    @Test(.requirement("S2.16")) func `an image comes from something that is no URL`() async {
        let library = ["asset-7": SamplePhotos.png(width: 8, height: 6)]
        let source = ImageSource.custom(id: "asset-7") {
            guard let data = library["asset-7"] else { throw AssetError.notFound("asset-7") }
            return data
        }
        let model = ImageModel(Room().options)
        model.request = ImageRequest(source: source)
        await waitUntil { !model.state.isLoading }
        #expect(model.state.image?.origin == .source)
    }

    @Test(.requirement("S2.17")) func `what such a source throws arrives in the error, with its own words`() async {
        let model = ImageModel(Room().options)
        model.request = ImageRequest(source: .custom(id: "asset-8") { throw AssetError.notFound("asset-8") })
        await waitUntil { !model.state.isLoading }
        #expect(model.state.error?.code == .sourceFailed)
        #expect(model.state.error?.underlying as? AssetError == .notFound("asset-8"))
    }

    @Test(.requirement("D2.10"))
    func `from a URL to another kind of source, the older result does not overwrite the newer`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let model = ImageModel(room.options)
        model.request = .photo()
        await gate.waitForWaiters(1)
        model.request = ImageRequest(source: .custom(id: "asset") { SamplePhotos.png(width: 2, height: 2) })
        await room.transport.waitForCancellations(1)
        gate.open()
        await waitUntil { model.state.image != nil }
        #expect(model.state.image?.bitmap.width == 2)
    }

    @Test(.requirement("S2.18")) func `a cache of the application's own is asked first and filled afterwards`() async {
        let cache = NotedCache()
        var room = Room()
        room.options.cache = cache
        let model = ImageModel(room.options)
        model.request = .photo()
        await waitUntil { model.state.image != nil }
        #expect(cache.keys == [room.loader.identity(of: .photo()).cacheKey])

        // An empty loader with the same cache: the image is there before the setter returns.
        var other = Room()
        other.options.cache = cache
        let second = ImageModel(other.options)
        second.request = .photo()
        #expect(second.state.image?.wasCached == true)
        #expect(other.transport.requestCount == 0)

    }

    @Test(.requirement("S2.9"))
    func `an application's own cache is cleared through the options of its views, and filled again`() async {
        var room = Room()
        room.options.cache = NotedCache()
        room.options.cacheKeyProvider = { _ in "the one" }
        func show(_ name: String) async -> RemoteImageState {
            let model = ImageModel(room.options)
            model.request = .photo(name)
            let first = model.state
            await waitUntil { model.state.image != nil }
            return first
        }
        #expect(await show("1").isLoading)
        // Another URL, absent from the loader's memory: only that cache can have it.
        #expect(await show("2").image?.wasCached == true)
        #expect(room.transport.requestCount == 1)
        room.options.cache?.removeAllObjects()
        #expect(await show("2").isLoading)
        #expect(room.transport.requestCount == 2)
        #expect(await show("3").image?.wasCached == true)
        room.options.cache?.removeObject(forKey: "the one")
        #expect(await show("3").isLoading)
        #expect(room.transport.requestCount == 3)
    }

    @Test func `that cache keeps no image for which the loader has said who asks`() async {
        let cache = NotedCache()
        var room = Room(edit: {
            $0.prepare = { request in
                var request = request
                request.fields["Authorization"] = "anna"
                return request
            }
        }) { HTTPResponse(url: $0.url, status: 200, body: HTTPBody(SamplePhotos.png(width: 2, height: 2))) }
        room.options.cache = cache
        let model = ImageModel(room.options)
        model.request = .photo()
        await waitUntil { model.state.image != nil }
        #expect(cache.keys.isEmpty)
    }

    @Test(.requirement("S2.19")) func `the key in that cache is the application's choice`() async {
        let cache = NotedCache()
        var room = Room()
        room.options.cache = cache
        room.options.cacheKeyProvider = { $0.source.url?.lastPathComponent ?? "?" }
        let model = ImageModel(room.options)
        model.request = .photo("seven")
        await waitUntil { model.state.image != nil }
        #expect(cache.keys == ["seven"])
    }

    @Test(.requirement("D0.14", "C14")) func `another user's header makes another request, another priority does not`()
    {
        let loader = Room().loader
        var request = URLRequest(url: URL(string: "http://photos.example/1")!)  // A literal that parses.
        request.setValue("Bearer anna", forHTTPHeaderField: "Authorization")
        let anna = ImageRequest(request)
        request.setValue("Bearer bob", forHTTPHeaderField: "Authorization")
        let bob = ImageRequest(request)
        var hurried = anna
        hurried.priority = .veryHigh
        var elsewhere = anna
        elsewhere.policy = .reloadIgnoringCache
        #expect(loader.identity(of: anna) == loader.identity(of: hurried))
        #expect(loader.identity(of: anna) != loader.identity(of: bob))
        #expect(loader.identity(of: anna) != loader.identity(of: elsewhere))
        #expect(!loader.identity(of: anna).cacheKey.contains("anna"))
    }

    @Test(.requirement("S0.15", "S2.8")) func `views that are given no loader share one`() {
        #expect(RemoteImageOptions().loader === ImageLoader.shared)
        #expect(ImageLoader.shared.diskStore != nil)
    }

    @Test(.requirement("S0.16")) func `a view takes a URL, a URLRequest, or all that there is to say`() {
        let url = URL(string: "http://photos.example/1")!  // A literal that parses.
        var sized = ImageRequest(url)
        sized.size = ResizeTarget(width: 3)
        let sources: [any RemoteImageSource] = [url, URLRequest(url: url), sized]
        #expect(sources.map { $0.imageRequest.source.url } == [url, url, url])
        #expect(sources.map { $0.imageRequest.size } == [nil, nil, sized.size])
    }

    @Test(.requirement("S2.15", "S2.21", "S2.25"))
    func `a transport of the application's own gets a plain GET, and may refuse`() async {
        let room = Room { request throws(TransportError) in throw TransportError(.cannotConnect, "low data mode") }
        let model = ImageModel(room.options)
        model.request = .photo()
        await waitUntil { model.state.error != nil }
        #expect(room.transport.requests.map(\.method) == [.get])
        #expect(room.transport.requests[0].fields["Authorization"] == nil)
        #expect(model.state.error?.message.contains("low data mode") == true)
    }

    @Test func `what views show is counted by whoever wants to know`() async throws {
        var room = Room()
        var origins: [ImageResponse.Origin] = []
        room.options.observer = { origins.append($0.origin) }
        let model = ImageModel(room.options)
        model.request = .photo()
        await waitUntil { model.state.image != nil }
        ImageModel(room.options).request = .photo()
        #expect(origins == [.network, .memory])
    }

    @Test(.requirement("S2.22")) func `a service of the application's own is driven as the model is`() async {
        let room = Room()
        let service = FramingService(ImageModel(room.options, isOnScreen: false))
        // Like a view when it appears, and again at each evaluation.
        service.present(.photo(), preview: nil)
        #expect(service.calls == ["fetch", "appear"])
        await waitUntil { service.state.image != nil }
        service.present(.photo(), preview: nil)
        #expect(room.transport.requestCount == 1)
        // The service's own change to the loader's image: a frame of one pixel.
        let image = room.loader.cachedImage(for: ImageRequest.photo())
        #expect(service.state.image?.bitmap.width == image.map { $0.width + 2 })
        service.disappear()
    }
}

private enum AssetError: Error, Equatable { case notFound(String) }

private final class NotedCache: RemoteImageCache {
    private let bitmaps = Locked([String: Bitmap]())

    var keys: [String] { bitmaps.withLock { $0.keys.sorted() } }

    func object(forKey key: String) -> Bitmap? { bitmaps.withLock { $0[key] } }
    func setObject(_ object: Bitmap, forKey key: String) { bitmaps.withLock { $0[key] = object } }
    func removeObject(forKey key: String) { _ = bitmaps.withLock { $0.removeValue(forKey: key) } }
    func removeAllObjects() { bitmaps.withLock { $0.removeAll() } }
}

/// Shows each image of a model in a frame. Does nothing when its view disappears.
@MainActor
private final class FramingService: RemoteImageService {
    private let model: ImageModel
    private(set) var calls: [String] = []

    init(_ model: ImageModel) { self.model = model }

    var state: RemoteImageState { framed(model.state) }

    func state(of request: ImageRequest?, preview: ImageRequest?) -> RemoteImageState {
        framed(model.state(of: request, preview: preview))
    }

    func fetch(_ request: ImageRequest?, preview: ImageRequest?) {
        calls.append("fetch")
        model.fetch(request, preview: preview)
    }

    func appear() {
        calls.append("appear")
        model.appear()
    }

    func retry() { model.retry() }

    private func framed(_ state: RemoteImageState) -> RemoteImageState {
        guard let image = state.image, let framed = try? ImageSteps.Pad(1).apply(to: image.bitmap) else { return state }
        return .image(LoadedImage(bitmap: framed, origin: image.origin, wasCached: image.wasCached))
    }
}
