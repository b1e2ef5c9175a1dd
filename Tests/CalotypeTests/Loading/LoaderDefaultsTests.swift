@testable import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Requirements
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The behavior of a loader with no options, or only a few.
@Suite struct LoaderDefaultsTests {
    private let folder = TemporaryFolder()

    private func loader(_ change: (inout ImageLoaderOptions) -> Void) -> ImageLoader {
        var options = ImageLoaderOptions()
        change(&options)
        return ImageLoader(options)
    }

    @Test(.requirement("S0.14", "S4.7"))
    func `a loader without options keeps bytes where the shared one does, in one open store`() throws {
        let store = try #require(ImageLoader().diskStore)
        #expect(store === ImageLoader.shared.diskStore)
        let program = ProcessInfo.processInfo.processName
        #expect(store.directory.hasSuffix("/\(program)/calotype"))
    }

    @Test func `the shared loader takes options once, before its first use`() async {
        // In a separate process, because the shared loader belongs to all tests of this one.
        await #expect(processExitsWith: .success) {
            try ImageLoader.configureShared(.ephemeral)
            let twice = #expect(throws: ImageError.self) { try ImageLoader.configureShared(ImageLoaderOptions()) }
            #expect(twice?.code == .alreadyConfigured)
            #expect(ImageLoader.shared.diskStore == nil)
        }
    }

    @Test func `the options of a shared loader in use do not change`() {
        let memory = ImageLoader.shared.options.memory.costLimit
        var options = ImageLoaderOptions()
        options.memory.costLimit = memory + 1
        let error = #expect(throws: ImageError.self) { try ImageLoader.configureShared(options) }
        #expect(error?.code == .alreadyConfigured && error?.message.contains("before the first use") == true)
        #expect(ImageLoader.shared.options.memory.costLimit == memory)
    }

    @Test func `invalid options of the shared loader are refused, and leave it unconfigured`() async {
        await #expect(processExitsWith: .success) {
            var options = ImageLoaderOptions.ephemeral
            options.downloads = 0
            let error = #expect(throws: ImageError.self) { try ImageLoader.configureShared(options) }
            #expect(error?.code == .invalidOption)
            try ImageLoader.configureShared(.ephemeral)
        }
    }

    @Test func `loaders of one directory share one open store, however its path is written`() throws {
        let first = try #require(loader { $0.disk = .directory(folder.path) }.diskStore)
        #expect(loader { $0.disk = .directory("\(folder.path)/./") }.diskStore === first)
        #expect(loader { $0.disk = .directory(folder.path + "-other") }.diskStore !== first)
    }

    @Test func `a store that was closed is opened again by the next loader`() async throws {
        let first = try #require(loader { $0.disk = .directory(folder.path) }.diskStore)
        try await first.close()
        let second = try #require(loader { $0.disk = .directory(folder.path) }.diskStore)
        try await second.store(Data("kept".utf8), for: "key")
        #expect(try await second.entry(for: "key")?.body == Data("kept".utf8))
    }

    @Test func `options open nothing, and an ephemeral loader keeps nothing on disk`() {
        var options = ImageLoaderOptions()
        options.disk = .directory(folder.path)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(ImageLoader(.ephemeral).diskStore == nil)
    }

    @Test func `without a cache directory images are kept in memory, and the loader reports it`() {
        let problems = Mutex([String]())
        let loader = loader {
            $0.disk = .directory { nil }
            $0.onProblem = { problem in problems.withLock { $0.append(problem.message) } }
        }
        #expect(loader.diskStore == nil)
        #expect(problems.withLock { $0 } == ["no cache directory: images are kept in memory only"])
    }

    @Test func `numbers out of range are named, and replaced by the nearest that a loader can use`() async throws {
        let problems = Mutex([String]())
        var options = ImageLoaderOptions.ephemeral
        options.decodeBudget = .min
        #expect(throws: ImageError.self) { try options.validate() }
        options.undecodedBytes = .min
        options.codecThreads = -1
        options.queueLimit = .min
        options.storedLifetime = .seconds(-1)
        options.onProblem = { problem in problems.withLock { $0.append(problem.message) } }
        let loader = ImageLoader(options)
        #expect(loader.options.decodeBudget == 0 && loader.options.storedLifetime == .zero)
        #expect(problems.withLock { $0.count == 1 && $0[0].contains("codecThreads") })
        let photo = SamplePhotos.png(width: 8, height: 6)
        let source = ImageSource.custom(id: "photo", fetch: { photo })
        #expect(try await loader.fetch(ImageRequest(source: source)).width == 8)
        try ImageLoaderOptions().validate()
    }

    @Test func `an idle loader serves requests that need no queue`() async throws {
        let room = LoaderFixture(options: { $0.queueLimit = 0 })
        #expect(try await room.loader.fetch(URL.photo()).width == 4)
    }

    /// The sum of two such lengths used to trap.
    @Test func `any length may be announced where bodies have no limit`() async throws {
        let gate = Gate()
        let room = LoaderFixture(
            options: { ($0.bodyLimit, $0.undecodedBytes) = (.max, .max) },
            answering: { request in
                HTTPResponse(
                    url: request.url, status: 200, fields: ["Content-Length": "\(Int.max)"],
                    body: HTTPBody(EndlessBody(gate)))
            })
        let loads = (0..<3).map { name in Task { try await room.loader.fetch(URL.photo(name)) } }
        await gate.waitForWaiters(3)
        for load in loads { load.cancel() }
        for load in loads { _ = await load.result }
        gate.open()
    }

    @Test func `a default loader caches in memory and by the rules of HTTP on disk`() async throws {
        let origin = try OriginServer()
        let photo = SamplePhotos.jpeg(width: 40, height: 30, seed: 1)
        origin.on("/photo", OriginReply(status: 200, fields: ["Cache-Control": "max-age=60"], body: photo))
        func loader() -> ImageLoader { self.loader { $0.disk = .directory(folder.path) } }
        let first = loader()
        let request = ImageRequest(origin.url("/photo"))
        #expect(try await first.response(for: request).origin == .network)
        #expect(try await first.response(for: request).origin == .memory)
        #expect(try await loader().response(for: request).origin == .disk)
        #expect(origin.requests.count == 1)
    }

    @Test(.requirement("D2.14")) func `a request for a URL takes everything that a request for a source takes`() {
        let url = URL(string: "http://photos.example/1")!  // A literal that parses.
        let request = ImageRequest(
            url, size: ResizeTarget(width: 3), policy: .returnCacheElseLoad, priority: .high, cacheKey: "1")
        #expect(request.size == ResizeTarget(width: 3))
        #expect(request.policy == .returnCacheElseLoad)
        #expect(request.priority == .high)
        #expect(request.cacheKey == "1")
    }

    @Test func `the cache policy of a URL request counts, unless the image request has one`() {
        let url = URL(string: "http://photos.example/1")!  // A literal that parses.
        let reloading = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        #expect(ImageRequest(reloading).policy == .reloadIgnoringCache)
        #expect(ImageRequest(reloading, policy: .useProtocol).policy == .useProtocol)
    }

    @Test func `an image is loaded, resized and encoded in one call, from a URL and from uploaded bytes`() async throws
    {
        let origin = try OriginServer()
        let photo = SamplePhotos.jpeg(width: 400, height: 300, seed: 1)
        origin.on("/photo", .ok(photo))
        let loader = ImageLoader(.ephemeral)
        for source in [ImageSource.url(origin.url("/photo")), .data(photo)] {
            let request = ImageRequest(source: source, size: ResizeTarget(width: 100))
            let webp = try await loader.data(for: request, encodedAs: .webp(quality: 80))
            let header = try DecoderRegistry.standard.header(of: webp)
            #expect(header.format == .webp)
            #expect((header.width, header.height) == (100, 75))
        }
    }

    @Test func `an image that its format cannot hold fails with the loader's error`() async throws {
        let long = try Bitmap(width: 16_384, height: 1, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 255)
        }
        let source = ImageSource.data(try long.encoded(as: .png))
        let error = await imageError {
            try await ImageLoader(.ephemeral).data(for: ImageRequest(source: source), encodedAs: .webp())
        }
        #expect(error?.code == .encodingFailed)
    }

    @Test func `bitmaps, errors and their codes print what they are`() {
        let bitmap = SamplePhotos.bitmap(width: 40, height: 30)
        #expect("\(bitmap)" == "Bitmap(40 × 30 pixels, opaque)")
        #expect("\(ImageError.Code.badStatus) \(CodecError.Code.damaged)" == "badStatus damaged")
        #expect("\(TransportError.Code.cannotConnect) \(StoreError.Code.closed)" == "cannotConnect closed")
    }

    @Test func `default header fields are sent, yield to those of a request, and tell images apart`() async throws {
        let token = Mutex("anna")
        let room = LoaderFixture(options: { options in
            options.defaultFields = { url in
                url.host() == "photos.example" ? ["X-Token": ByteString(token.withLock { $0 })] : [:]
            }
        })
        _ = try await room.loader.fetch(URL.photo())
        #expect(room.loader.cachedImage(for: .photo()) != nil)
        token.withLock { $0 = "bob" }
        #expect(room.loader.cachedImage(for: .photo()) == nil)
        _ = try await room.loader.fetch(URL.photo())
        var request = URLRequest(url: .photo())
        request.setValue("carol", forHTTPHeaderField: "x-token")
        _ = try await room.loader.fetch(request)
        let elsewhere = URL(string: "http://elsewhere.example/1")!  // A literal that parses.
        _ = try await room.loader.fetch(elsewhere)
        #expect(room.transport.requests.map { $0.fields["X-Token"] } == ["anna", "bob", "carol", nil])
        await room.loader.remove(ImageRequest(.photo()))
        #expect(room.loader.cachedImage(for: .photo()) == nil)
    }
}

/// A body that never delivers a chunk.
private final class EndlessBody: HTTPBodySource {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    func next() async throws(TransportError) -> Data? {
        await gate.wait()
        throw .cancelled
    }
}
