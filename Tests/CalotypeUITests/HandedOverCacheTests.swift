import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
@testable import CalotypeUI
import Requirements
import Testing
import Waiting

/// A reused view: each call brings a cache and a closure, which cannot be compared with those of the call before.
@MainActor
@Suite struct HandedOverCacheTests {
    private let anna: Bitmap
    private let bob: Bitmap

    init() throws {
        anna = try .plain()
        bob = try .plain()
    }

    /// A view that shows one bitmap.
    @MainActor
    private final class Screen {
        var bitmap: Bitmap?
    }

    private let screen = Screen()

    private func load(_ options: RemoteImageOptions) -> ImageViewLoad {
        ImageViewLoad(options) { [screen] in screen.bitmap = $0.visibleImage?.bitmap }
    }

    private func shows(_ bitmap: Bitmap) -> Bool { screen.bitmap?.isIdentical(to: bitmap) == true }

    @Test(.requirement("S2.19")) func `a reused view asks with the key of the latest call`() {
        let room = Room()
        let cache = CacheObject(["anna": anna, "bob": bob])
        var options = room.options
        options.cache = cache
        options.cacheKeyProvider = { _ in "anna" }
        let load = load(options)
        load.set(.photo())
        #expect(shows(anna))
        options.cacheKeyProvider = { _ in "bob" }
        #expect(load.serves(options))
        load.use(options)
        load.set(.photo())
        #expect(shows(bob))
        options.cacheKeyProvider = { _ in "carol" }
        load.use(options)
        load.set(.photo())
        #expect(screen.bitmap == nil)
    }

    @Test(.requirement("S2.18")) func `a reused view asks the cache of the latest call, structures too`() {
        let caches: [(any RemoteImageCache, any RemoteImageCache)] = [
            (CacheObject(["1": anna]), CacheObject(["1": bob])),
            (CacheStructure(["1": anna]), CacheStructure(["1": bob])),
            (CacheObject(["1": anna]), CacheStructure(["1": bob])),
        ]
        for (first, second) in caches {
            var options = Room().options
            options.cacheKeyProvider = { _ in "1" }
            options.cache = first
            let load = load(options)
            load.set(.photo())
            #expect(shows(anna))
            options.cache = second
            load.use(options)
            load.set(.photo())
            #expect(shows(bob))
            options.cache = nil
            load.use(options)
            load.set(.photo())
            #expect(screen.bitmap == nil)
        }
    }

    @Test(.requirement("S2.19"), arguments: ["anna", "bob"])
    func `a load fills the cache under the key of its last call, and an equal key joins the load under way`(
        _ key: String
    ) async {
        let gate = Gate()
        let room = Room(gate: gate)
        let cache = CacheObject([:])
        var options = room.options
        options.cache = cache
        options.cacheKeyProvider = { _ in "anna" }
        let load = load(options)
        load.set(.photo())
        await gate.waitForWaiters(1)
        options.cacheKeyProvider = { _ in key }
        load.use(options)
        await withCheckedContinuation { done in
            load.set(.photo()) { _ in done.resume() }
            gate.open()
        }
        #expect(cache.keys == [key])
        if key == "anna" { #expect(room.transport.requestCount == 1) }
    }

    @Test(.requirement("S2.19"))
    func `a body that is evaluated with another key shows nothing of the former key`() async {
        let room = Room()
        let cache = CacheObject(["anna": anna])
        let model = ImageModel(room.options, isOnScreen: false)
        model.use(cache, keys: { _ in "anna" })
        model.present(.photo(), preview: nil)
        #expect(model.state.image?.bitmap.isIdentical(to: anna) == true)
        let task = model.task(for: .photo())
        model.use(cache, keys: { _ in "anna" })
        #expect(model.task(for: .photo()) == task)
        #expect(model.state(of: .photo()).image != nil)

        model.use(cache, keys: { _ in "bob" })
        #expect(model.task(for: .photo()) != task)
        #expect(model.state(of: .photo()).visibleImage == nil)
        model.present(.photo(), preview: nil)
        await waitUntil { model.state.image != nil }
        #expect(cache.keys == ["anna", "bob"])
    }

    @Test(.requirement("S2.18")) func `a redraw keeps the image and passes a cache that is a structure on`() async {
        let gate = Gate()
        let room = Room(gate: gate)
        let (first, second) = (CacheStructure([:]), CacheStructure([:]))
        let model = ImageModel(room.options, isOnScreen: false)
        model.use(first, keys: nil)
        model.present(.photo(), preview: nil)
        await gate.waitForWaiters(1)
        model.use(second, keys: nil)
        gate.open()
        await waitUntil { model.state.image != nil }
        #expect(first.keys.isEmpty)
        #expect(second.keys.count == 1)
        model.use(first, keys: nil)
        #expect(model.state(of: .photo()).image != nil)
        #expect(room.transport.requestCount == 1)
    }
}

private final class CacheObject: RemoteImageCache {
    private let bitmaps: Locked<[String: Bitmap]>

    init(_ bitmaps: [String: Bitmap]) { self.bitmaps = Locked(bitmaps) }

    var keys: [String] { bitmaps.withLock { $0.keys.sorted() } }

    func object(forKey key: String) -> Bitmap? { bitmaps.withLock { $0[key] } }
    func setObject(_ object: Bitmap, forKey key: String) { bitmaps.withLock { $0[key] = object } }
    func removeObject(forKey key: String) { _ = bitmaps.withLock { $0.removeValue(forKey: key) } }
    func removeAllObjects() { bitmaps.withLock { $0.removeAll() } }
}

private struct CacheStructure: RemoteImageCache {
    private let base: CacheObject

    init(_ bitmaps: [String: Bitmap]) { base = CacheObject(bitmaps) }

    var keys: [String] { base.keys }

    func object(forKey key: String) -> Bitmap? { base.object(forKey: key) }
    func setObject(_ object: Bitmap, forKey key: String) { base.setObject(object, forKey: key) }
    func removeObject(forKey key: String) { base.removeObject(forKey: key) }
    func removeAllObjects() { base.removeAllObjects() }
}
