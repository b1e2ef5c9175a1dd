import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeHTTPCache
import CalotypeStore
import CalotypeTesting
import CalotypeTransport
import Foundation
import Requirements
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors of servers and files, against a real server: each has its own error code, nothing is stored, and the next
/// request works.
@Suite struct ErrorTests {
    let origin: OriginServer
    let folder = TemporaryFolder()
    let loader: ImageLoader

    init() throws {
        origin = try OriginServer()
        var options = ImageLoaderOptions.ephemeral
        options.retry = .never
        options.bodyLimit = 100_000
        options.resumptions = 0
        options.disk = .store(DiskStore(directory: folder.path))
        options.decoders.register(PlainDecoder())
        loader = ImageLoader(options)
        origin.on("/good", .ok(PlainDecoder.data()))
    }

    /// Returns the error of `path`, after it is certain that nothing was stored and that the loader still works.
    private func failure(_ path: String) async throws -> ImageError {
        try await failure(origin.url(path))
    }

    private func failure(_ url: URL) async throws -> ImageError {
        let error = try #require(await imageError { try await loader.fetch(url) })
        #expect(error.url == url)
        #expect(loader.cachedImage(for: url) == nil)
        let store = try #require(loader.diskStore)
        #expect(try await store.list().allSatisfy { $0.key.hasSuffix("/good") })
        #expect(try await loader.fetch(origin.url("/good")).width == 4)
        return error
    }

    @Test(.requirement("B51", "D0.7"), arguments: [404, 500, 410])
    func `a status outside 200–299 is an error that has the status`(_ status: Int) async throws {
        origin.on("/bad", OriginReply(status: status, body: PlainDecoder.data()))
        let error = try await failure("/bad")
        #expect(error.code == .badStatus)
        #expect(error.status == status)
        #expect(error.message.contains("\(status)"))
    }

    /// Without a store there was no cache to refuse either: the part used to be shown as the whole image, and the 304 was
    /// a bad status.
    @Test(arguments: [206, 304], [true, false])
    func `a part or a 304 that was not asked for is malformedResponse, with and without a store`(
        status: Int, hasStore: Bool
    ) async throws {
        var reply = OriginReply(status: status, body: status == 206 ? PlainDecoder.data() : Data())
        if status == 206 {
            reply.fields["Content-Range"] = "bytes 0-\(reply.body.count - 1)/\(2 * reply.body.count)"
        }
        origin.on("/bad", reply)
        guard !hasStore else {
            #expect(try await failure("/bad").code == .malformedResponse)
            return
        }
        var options = ImageLoaderOptions.ephemeral
        options.decoders.register(PlainDecoder())
        let memoryOnly = ImageLoader(options)
        #expect(await imageError { try await memoryOnly.fetch(origin.url("/bad")) }?.code == .malformedResponse)
        let own = HTTPRequest(origin.url("/bad"), fields: ["If-None-Match": "\"1\"", "Range": "bytes=0-9"])
        let asked = await imageError { try await memoryOnly.data(for: ImageRequest(source: .request(own))) }
        #expect(asked?.status == (status == 304 ? 304 : nil))
    }

    @Test func `an image with all of its pixels is no error, whatever its end`() async throws {
        let bitmap = SamplePhotos.bitmap(width: 60, height: 40)
        let files = [
            try bitmap.encoded(as: .jpeg(quality: 80)).dropLast(2),
            try bitmap.encoded(as: .jpeg(quality: 80, isProgressive: true)).dropLast(2),
            try bitmap.encoded(as: .png).dropLast() + [0], try bitmap.encoded(as: .png).dropLast(12),
        ]
        for (number, file) in files.enumerated() {
            origin.on("/\(number)", .ok(file))
            #expect(try await loader.fetch(origin.url("/\(number)")).width == 60, "\(number)")
        }
    }

    @Test(.requirement("D0.6")) func `an HTML page in place of an image is notAnImage`() async throws {
        origin.on("/page", .ok(Data("<!DOCTYPE html><html><body>Sorry</body></html>".utf8), type: "image/jpeg"))
        #expect(try await failure("/page").code == .notAnImage)
    }

    @Test(.requirement("B53"), arguments: [200, 204])
    func `an empty body is dataIsEmpty`(_ status: Int) async throws {
        origin.on("/empty", OriginReply(status: status))
        #expect(try await failure("/empty").code == .dataIsEmpty)
    }

    @Test(.requirement("B52"))
    func `a body over the limit is refused by its announced length, and in mid-stream without one`() async throws {
        origin.on("/announced", .ok(Data(count: 200_000)))
        origin.on("/streamed", .ok(Data(count: 200_000)).chunked())
        #expect(try await failure("/announced").code == .bodyTooLarge)
        #expect(try await failure("/streamed").code == .bodyTooLarge)
    }

    @Test func `an image cut short by the connection is truncated or connectionFailed, never shown`() async throws {
        origin.on("/cut", .ok(SamplePhotos.jpeg(width: 200, height: 150, seed: 1)).droppedAfter(bytes: 500))
        #expect([.truncated, .connectionFailed].contains(try await failure("/cut").code))
    }

    @Test func `a server that announces more than it sends, and closes, is truncated`() async throws {
        let photo = SamplePhotos.jpeg(width: 64, height: 48, seed: 1)
        origin.on("/lie", .ok(photo).announcing(contentLength: photo.count + 100))
        #expect([.truncated, .connectionFailed].contains(try await failure("/lie").code))
    }

    @Test func `a connection that is reset at once is connectionFailed`() async throws {
        origin.on("/reset", OriginReply().resetImmediately())
        #expect(try await failure("/reset").code == .connectionFailed)
    }

    @Test(.requirement("S0.12")) func `a JPEG whose file is cut in half is damagedImage`() async throws {
        let photo = SamplePhotos.jpeg(width: 200, height: 150, seed: 2)
        origin.on("/half", .ok(photo.prefix(photo.count / 2)))
        #expect(try await failure("/half").code == .damagedImage)
    }

    @Test func `a PNG header of 100,000 × 100,000 pixels is imageTooLarge before anything is decoded`() async throws {
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        png +=
            Data("IHDR".utf8) + Data([0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 6, 0, 0, 0])
            + Data([0x17, 0x2B, 0x5F, 0x9C])
        origin.on("/huge", .ok(png))
        let error = try await failure("/huge")
        #expect([.imageTooLarge, .damagedImage].contains(error.code))
    }

    @Test func `a GIF without a frame is damagedImage`() async throws {
        origin.on("/gif", .ok(Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0, 0, 0x3B])))
        #expect(try await failure("/gif").code == .damagedImage)
    }

    @Test func `redirects in a circle, and one to file:, are redirectFailed`() async throws {
        origin.on("/round", .redirect(to: "/round"))
        origin.on("/file", .redirect(to: "file:///etc/hostname"))
        #expect(try await failure("/round").code == .redirectFailed)
        #expect(try await failure("/file").code == .redirectFailed)
    }

    @Test func `a scheme that nobody knows, and a URL without one, are told apart`() async throws {
        #expect(try await failure(try #require(URL(string: "gopher://example/1"))).code == .unsupportedScheme)
        #expect(try await failure(try #require(URL(string: "no-scheme/1"))).code == .invalidURL)
    }

    @Test func `nobody at the port is connectionFailed`() async throws {
        let gone = try OriginServer()
        let url = gone.url("/1")
        gone.stop()
        #expect(try await failure(url).code == .connectionFailed)
    }

    @Test func `a server that drips and then stops sending is timedOut`() async throws {
        let gate = Gate()
        origin.on("/drip", .ok(Data(count: 1000)).dripping(bytes: 1, gate: gate))
        gate.open(count: 3)
        var request = HTTPRequest(origin.url("/drip"))
        request.timeouts.total = .milliseconds(300)
        let error = await imageError { try await loader.fetch(ImageRequest(source: .request(request))) }
        #expect(error?.code == .timedOut)
        #expect(try await loader.fetch(origin.url("/good")).width == 4)
        gate.open()
    }

    /// 32 servers that dripped used to hold all slots of a loader.
    @Test func `requests get a pace that ends those that drip, unless they or the loader say otherwise`() async throws {
        let room = LoaderFixture()
        func pace(_ timeouts: HTTPRequest.Timeouts, _ room: LoaderFixture) async throws -> HTTPRequest.Pace? {
            let request = HTTPRequest(.photo(room.transport.requestCount), timeouts: timeouts)
            _ = try await room.loader.fetch(ImageRequest(source: .request(request)))
            return room.transport.requests.last?.timeouts.pace
        }
        #expect(try await pace(HTTPRequest.Timeouts(), room) == HTTPRequest.Pace())
        #expect(try await pace(HTTPRequest.Timeouts(total: .seconds(5)), room) == nil)
        let slow = HTTPRequest.Pace(bytesPerSecond: 1)
        #expect(try await pace(HTTPRequest.Timeouts(pace: slow), room) == slow)
        #expect(try await pace(HTTPRequest.Timeouts(), LoaderFixture(options: { $0.pace = nil })) == nil)
    }

    @Test(.requirement("B65")) func `a step that fails names itself, and leaves nothing in memory`() async throws {
        let step = ImageSteps.CustomStep(key: "sepia") { _ in throw CocoaError(.featureUnsupported) }
        let request = ImageRequest(origin.url("/good"), steps: [step])
        let error = await imageError { try await loader.fetch(request) }
        #expect(error?.code == .stepFailed)
        #expect(error?.message.contains("sepia") == true)
        #expect(loader.cachedImage(for: request) == nil)
    }

    /// A user's step that is not a `CustomStep` used to pass its own code on: `damagedImage`, or `cancelled`.
    @Test(arguments: [CodecError.Code.damaged, .tooLarge, .cancelled, .overloaded, .stepFailed])
    func `whatever a step throws is stepFailed and names the step`(code: CodecError.Code) async throws {
        var reply = OriginReply.ok(PlainDecoder.data())
        reply.fields["Cache-Control"] = "max-age=60"
        origin.on("/fresh", reply)
        let request = ImageRequest(origin.url("/fresh"), steps: [FailingStep(code: code)])
        let error = await imageError { try await loader.fetch(request) }
        #expect(error?.code == .stepFailed)
        #expect(error?.message.contains("engrave(3)") == true)
        #expect(error?.message.contains("no ink") == true)
        // The bytes are not at fault, and stay.
        #expect(try await loader.fetch(origin.url("/fresh")).width == 4)
        #expect(origin.requestCount("/fresh") == 1)
    }

    /// A source that had cancelled some work itself used to end its callers' requests as `cancelled`.
    @Test func `a source's CancellationError is sourceFailed for those who did not cancel`() async throws {
        let errors: [any Error] = [CancellationError(), ImageError.cancelled]
        for (number, thrown) in errors.enumerated() {
            let source = ImageSource.custom(id: "gives up \(number)") { throw thrown }
            let error = await imageError { try await loader.fetch(ImageRequest(source: source)) }
            #expect(error?.code == .sourceFailed)
            #expect(error?.underlying != nil)
        }
    }

    @Test func `a request without a URL is invalidURL; a custom source that throws is sourceFailed`() async throws {
        var nowhere = URLRequest(url: origin.url)
        nowhere.url = nil
        #expect(await imageError { try await loader.fetch(nowhere) }?.code == .invalidURL)
        let broken = ImageSource.custom(id: "broken") { throw CocoaError(.fileReadNoSuchFile) }
        let error = await imageError { try await loader.fetch(ImageRequest(source: broken)) }
        #expect(error?.code == .sourceFailed)
        #expect(error?.underlying is CocoaError)
    }

    @Test(.requirement("B56")) func `a failing server is asked three times in all, a cancelled request never again`()
        async throws
    {
        var options = ImageLoaderOptions.ephemeral
        var policy = RetryPolicy.twice
        policy.firstPause = .milliseconds(1)
        options.retry = policy
        options.decoders.register(PlainDecoder())
        let loader = ImageLoader(options)
        origin.on("/flaky", replies: [.status(503), .status(503), .ok(PlainDecoder.data())])
        #expect(try await loader.fetch(origin.url("/flaky")).width == 4)
        #expect(origin.requestCount("/flaky") == 3)
        origin.on("/down", .status(503))
        #expect(await imageError { try await loader.fetch(origin.url("/down")) }?.status == 503)
        #expect(origin.requestCount("/down") == 3)
        let prefetcher = Prefetcher(loader: loader)
        origin.on("/prefetched", replies: [.status(500), .ok(PlainDecoder.data())])
        prefetcher.start([ImageRequest(origin.url("/prefetched"))])
        await prefetcher.waitUntilIdle()
        #expect(loader.cachedImage(for: origin.url("/prefetched")) != nil)
    }
}

private struct FailingStep: ImageStep {
    let code: CodecError.Code
    var key: String { "engrave(3)" }

    func apply(to bitmap: Bitmap) throws(CodecError) -> Bitmap { throw CodecError(code, "no ink") }
}
