import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import TestSupport
import Testing
import Waiting

@testable import Calotype

/// Previews of an image before all its bytes have arrived: behaviours 20, 33, 61 and 62.
@Suite struct PreviewTests {
    @Test(.requirement("B61"))
    func `previews come in order over a real connection, then the image, and nothing after it`() async throws {
        let file = Data.progressive
        let origin = try OriginServer()
        let (gate, clock) = (Gate(), ManualClock())
        origin.on("/photo", .ok(file).dripping(bytes: file.count / 4, gate: gate))
        var options = ImageLoaderOptions.ephemeral
        options.clock = clock
        options.previews = .scans
        let loader = ImageLoader(options)
        var events = loader.events(for: ImageRequest(origin.url("/photo"))).makeAsyncIterator()
        // The first scan ends in the first quarter, and others in the second.
        try #require(file.scanEnd() < file.count / 4)
        gate.open(count: 1)
        let first = try #require(try await events.nextPreview())
        clock.advance(by: .milliseconds(500))
        gate.open(count: 1)
        let second = try #require(try await events.nextPreview())
        #expect(first.bitmap.size == second.bitmap.size && first.detail.width <= second.detail.width)
        gate.open()
        let end = try await events.readToEnd()
        #expect(end.response?.bitmap.size == first.bitmap.size)
        // Three quarters are less than twice the bytes of the second preview, and then too little is missing.
        #expect(end.previews == 0)
        #expect(origin.requestCount("/photo") == 1)
    }

    #if JPEGXL
        @Test func `a JPEG XL has previews, which a worker makes`() async throws {
            var drawn = JPEGXLFile(width: 600, height: 400)
            drawn.isProgressive = true
            let samples: [UInt8] = (0..<240_000).flatMap { (index: Int) -> [UInt8] in
                let noise = index &* index >> 7
                return [UInt8(index % 600 / 3), UInt8(index / 2000), UInt8(truncatingIfNeeded: noise)]
            }
            let file = try drawn.encoded([JPEGXLFile.Frame(samples)])
            let workers = DecoderWorkers(limit: 1)
            let fixture = PreviewFixture(file) { $0.isolation = .all(in: workers) }
            var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
            // Where the first preview ends depends on the version of libjxl that wrote the file.
            let part = try #require(try (1...15).map { file.count * $0 / 20 }.first { try file.preview(of: $0) != nil })
            fixture.body.feed(to: part)
            let first = try #require(try await events.nextPreview())
            #expect(first.bitmap.size == PixelSize(width: 600, height: 400) && first.detail.width >= 75)
            fixture.body.feedAll()
            let end = try await events.readToEnd()
            #expect(end.response?.bitmap.size == first.bitmap.size)
            // At least the header, a preview, and the image's pixels.
            #expect(workers.counters.images >= 3 && workers.counters.ended.isEmpty)
        }
    #endif

    @Test func `a loader makes no previews unless it is asked to`() async throws {
        let fixture = PreviewFixture(previews: nil)
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        for part in 1...4 {
            fixture.body.feed(to: part * Data.progressive.count / 5)
            try await events.wait(forBytes: part * Data.progressive.count / 5)
            fixture.clock.advance(by: .seconds(1))
            #expect(fixture.loader.statistics.codecs + fixture.loader.statistics.codecQueue == 0)
        }
        fixture.body.feedAll()
        #expect(try await events.readToEnd().previews == 0)
    }

    @Test(.requirement("B62"), arguments: ["jpeg", "png", "webp"])
    func `an image without scans has no previews of scans`(format: String) async throws {
        let formats: [String: EncodingFormat] = ["jpeg": .jpeg(), "png": .png, "webp": .webp()]
        let file = Data.photograph(try #require(formats[format]))
        let fixture = PreviewFixture(file)
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        fixture.body.feed(to: file.count / 2)
        try await events.wait(forBytes: file.count / 2)
        #expect(fixture.loader.statistics.codecs + fixture.loader.statistics.codecQueue == 0)
        fixture.body.feedAll()
        let end = try await events.readToEnd()
        #expect(end.previews == 0 && end.response != nil)
    }

    @Test func `previews have the size and the steps of the image`() async throws {
        let fixture = PreviewFixture()
        var request = fixture.request
        request.size = ResizeTarget(width: 90, height: 90, mode: .fill)
        request.steps = [.grayscale, ImageSteps.Pad(top: 5, left: 5, bottom: 5, right: 5)]
        var events = fixture.loader.events(for: request).makeAsyncIterator()
        let end = try Data.progressive.scanEnd()
        fixture.body.feed(to: end)
        let preview = try #require(try await events.nextPreview())
        let plain = try #require(try Data.progressive.preview(of: end, target: request.size))
        #expect(preview.bitmap.data == (try plain.bitmap.applying(request.steps)).data)
        fixture.body.feedAll()
        #expect(try await events.readToEnd().response?.bitmap.size == preview.bitmap.size)
    }

    @Test func `all who wait for an image share one preview, and one who joins late has the latest at once`()
        async throws
    {
        let fixture = PreviewFixture()
        var request = fixture.request
        request.steps = [fixture.order.step("preview")]
        var first = fixture.loader.events(for: request).makeAsyncIterator()
        var second = fixture.loader.events(for: request).makeAsyncIterator()
        await fixture.room.waitForWaiters(images: 3, sources: 1)
        fixture.body.feed(to: try Data.progressive.scanEnd())
        let previews = (try await first.nextPreview(), try await second.nextPreview())
        #expect(previews.0 != nil && previews.0?.bitmap.identity == previews.1?.bitmap.identity)
        var third = fixture.loader.events(for: request).makeAsyncIterator()
        #expect(try await third.nextPreview()?.bitmap.identity == previews.0?.bitmap.identity)
        #expect(fixture.order.all == ["preview"])
        fixture.body.feedAll()
        #expect(try await first.readToEnd().response != nil)
    }

    @Test func `two sizes of one image have previews of one download`() async throws {
        let fixture = PreviewFixture()
        var (small, large) = (fixture.request, fixture.request)
        (small.size, large.size) = (ResizeTarget(width: 40), ResizeTarget(width: 200))
        var first = fixture.loader.events(for: small).makeAsyncIterator()
        var second = fixture.loader.events(for: large).makeAsyncIterator()
        await fixture.room.waitForWaiters(images: 2, sources: 2)
        fixture.body.feed(to: try Data.progressive.scanEnd())
        #expect(try await first.nextPreview()?.bitmap.width == 40)
        #expect(try await second.nextPreview()?.bitmap.width == 200)
        #expect(fixture.room.transport.requestCount == 1)
        fixture.body.feedAll()
        _ = try await (first.readToEnd(), second.readToEnd())
    }

    @Test(.requirement("B61"))
    func `behind a busy decoder scans are skipped: one preview waits, and it is of the latest bytes`()
        async throws
    {
        let fixture = PreviewFixture()
        let file = Data.progressive
        let plain = await fixture.occupyCodecThread()
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        let end = file.count * 3 / 4
        for part in 1...3 {
            fixture.body.feed(to: part * end / 3)
            try await events.wait(forBytes: part * end / 3)
            await fixture.waitForQueuedPreview()
            fixture.clock.advance(by: .seconds(1))
        }
        fixture.pause.goOn()
        let preview = try #require(try await events.nextPreview())
        #expect(preview.bitmap.data == (try file.preview(of: end))?.bitmap.data)
        _ = try await plain.value
        fixture.body.feedAll()
        #expect(try await events.readToEnd().previews == 0)
    }

    @Test func `a preview waits behind every image`() async throws {
        let fixture = PreviewFixture()
        let plain = await fixture.occupyCodecThread()
        var request = fixture.request
        request.steps = [fixture.order.step("preview")]
        var events = fixture.loader.events(for: request).makeAsyncIterator()
        fixture.body.feed(to: try Data.progressive.scanEnd())
        await fixture.waitForQueuedPreview()
        let other = Task { [loader = fixture.loader] in try await loader.fetch(URL.photo("other-plain")) }
        await waitUntil { fixture.loader.statistics.codecQueue == 2 }
        fixture.pause.goOn()
        fixture.pause.goOn()
        #expect(try await events.nextPreview() != nil)
        #expect(fixture.order.all == ["plain", "plain", "preview"])
        _ = try await (plain.value, other.value)
        fixture.body.feedAll()
        #expect(try await events.readToEnd().response != nil)
    }

    @Test(.requirement("B20")) func `a load that is cancelled takes its preview out of the queue`() async throws {
        let fixture = PreviewFixture()
        let plain = await fixture.occupyCodecThread()
        let load = Task { [loader = fixture.loader, request = fixture.request] in
            for try await _ in loader.events(for: request) {}
        }
        fixture.body.feed(to: try Data.progressive.scanEnd())
        await fixture.waitForQueuedPreview()
        load.cancel()
        await waitUntil { fixture.loader.statistics.codecQueue == 0 }
        fixture.pause.goOn()
        _ = try await plain.value
        await waitUntil { fixture.loader.statistics.undecodedBytes == 0 }
    }

    @Test(.requirement("B20")) func `a load that fails takes its preview out of the queue`() async throws {
        let fixture = PreviewFixture()
        let plain = await fixture.occupyCodecThread()
        let load = Task { [loader = fixture.loader, request = fixture.request] in
            await imageError { for try await _ in loader.events(for: request) {} }
        }
        fixture.body.feed(to: try Data.progressive.scanEnd())
        await fixture.waitForQueuedPreview()
        fixture.body.cut()
        #expect(await load.value?.code == .connectionFailed)
        await waitUntil { fixture.loader.statistics.codecQueue == 0 }
        fixture.pause.goOn()
        _ = try await plain.value
    }

    @Test func `a preview that has not begun when the bytes are there is not made`() async throws {
        let fixture = PreviewFixture()
        let plain = await fixture.occupyCodecThread()
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        fixture.body.feed(to: try Data.progressive.scanEnd())
        await fixture.waitForQueuedPreview()
        fixture.body.feedAll()
        fixture.pause.goOn()
        // The thread may be free before the rest arrives: then the preview is due.
        let end = try await events.readToEnd()
        #expect(end.response != nil && end.previews <= 1)
        _ = try await plain.value
    }

    @Test(.requirement("B62")) func `a preview that fails is left out, and the image says what is wrong with it`()
        async throws
    {
        var file = Data.progressive
        // A Huffman table with more codes than possible, in front of the first scan.
        let table = try #require(file.range(of: Data([0xFF, 0xC4]))).lowerBound
        for offset in table + 5..<table + 21 { file[offset] = 0xFF }
        let fixture = PreviewFixture(file)
        let load = Task { [loader = fixture.loader, request = fixture.request] in
            await imageError { for try await event in loader.events(for: request) { #expect(event.response == nil) } }
        }
        fixture.body.feed(to: file.count / 2)
        fixture.body.feedAll()
        #expect(await load.value?.code == .damagedImage)
    }

    /// After a camera's thumbnail of 200 pixels, the first scan with 125 used to be shown.
    @Test func `no preview shows less than the one before it`() async throws {
        let (file, plain) = try Data.camera()
        let fixture = PreviewFixture(file)
        var request = fixture.request
        request.steps = [fixture.order.step("preview")]
        let (loader, details) = (fixture.loader, Names())
        let job = try loader.pipeline.job(request, loader.keys(of: request))
        let watch = try #require(loader.pipeline.previews.watch(job) { details.add("\($0.detail.width)") })
        let body = ArrivingBody(expecting: 3 * file.count, isPersonal: false)
        // The thumbnail with the beginning of the first scan, the end of that scan, and scans with all the detail.
        let thumbnail = file.count - plain.count
        let scan = try plain.scanEnd()
        let ends = [
            thumbnail + 1_000, thumbnail + scan, thumbnail + (try plain.detailEnd(after: thumbnail + 2 * scan)),
        ]
        try #require(2 * ends[0] <= ends[1], "a preview takes twice as many bytes as the one before")
        var sent = 0
        for (count, end) in ends.enumerated() {
            _ = body.append(Data(file[sent..<end]))
            sent = end
            watch.offer(body)
            await waitUntil {
                fixture.clock.advance(by: .seconds(1))
                return fixture.order.all.count == count + 1
            }
        }
        await waitUntil { details.all.count == 2 }
        #expect(details.all == ["200", "500"])
        watch.end()
    }

    @Test func `a preview in memory gives way to none that shows less`() throws {
        let fixture = PreviewFixture()
        let (loader, request) = (fixture.loader, fixture.request)
        let job = try loader.pipeline.job(request, loader.keys(of: request))
        func keep(_ detail: Int) throws -> ImagePreview {
            let bitmap = try Bitmap(width: 8, height: 1, hasAlpha: false) { pixels, _ in
                pixels.initializeMemory(as: UInt8.self, repeating: 0)
            }
            let preview = ImagePreview(bitmap: bitmap, detail: PixelSize(width: detail, height: 1))
            loader.pipeline.memory.keepPreview(preview, job, isPersonal: false)
            return preview
        }
        _ = try keep(125)
        let fine = try keep(320)
        _ = try keep(125)
        #expect(loader.look(for: request).preview?.bitmap.identity == fine.bitmap.identity)
        #expect(loader.look(for: request).preview?.detail.width == 320)
    }

    @Test(.requirement("B33")) func `memory holds a preview as one, and the image takes its place`() async throws {
        let fixture = PreviewFixture()
        let (loader, request) = (fixture.loader, fixture.request)
        var events: ImageEvents.Iterator? = loader.events(for: request).makeAsyncIterator()
        fixture.body.feed(to: try Data.progressive.scanEnd())
        let preview = try #require(try await events?.nextPreview())
        #expect(loader.cachedImage(for: request) == nil)
        let look = loader.look(for: request)
        #expect(look.bitmap == nil && look.expired == nil && look.otherSize == nil)
        #expect(look.preview?.bitmap.identity == preview.bitmap.identity)
        fixture.body.feedAll()
        let image = try #require(try await events?.readToEnd().response)
        events = nil
        #expect(loader.cachedImage(for: request)?.identity == image.bitmap.identity)
        #expect(loader.look(for: request).preview == nil)
        let job = try loader.pipeline.job(request, loader.keys(of: request))
        loader.pipeline.memory.keepPreview(preview, job, isPersonal: false)
        #expect(loader.cachedImage(for: request)?.identity == image.bitmap.identity)
    }

    @Test(.requirement("B33"))
    func `what a user, a caller or a removal keeps out of memory, its previews are kept out of, too`()
        async throws
    {
        let fixture = PreviewFixture(options: {
            $0.prepare = { request in
                var request = request
                request.fields["Authorization"] = "Bearer 1"
                return request
            }
        })
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        fixture.body.feed(to: try Data.progressive.scanEnd())
        #expect(try await events.nextPreview() != nil)
        #expect(fixture.loader.look(for: fixture.request).preview == nil)

        let other = PreviewFixture()
        var request = other.request
        request.caching.remove(.writeMemory)
        var others = other.loader.events(for: request).makeAsyncIterator()
        other.body.feed(to: try Data.progressive.scanEnd())
        #expect(try await others.nextPreview() != nil)
        #expect(other.loader.look(for: request).preview == nil)
    }

    @Test func `coefficients take no more memory than there is for those of all images`() async throws {
        // 320 × 240 pixels with colors at half the size, two bytes each.
        let held = 2 * 320 * 240 * 3 / 2
        for (budget, hasPreviews) in [(2 * held, true), (2 * held - 2, false)] {
            let fixture = PreviewFixture(options: { $0.decodeBudget = budget })
            var request = fixture.request
            request.size = ResizeTarget(width: 40)
            var events = fixture.loader.events(for: request).makeAsyncIterator()
            let end = try Data.progressive.scanEnd()
            fixture.body.feed(to: end)
            if hasPreviews {
                #expect(try await events.nextPreview() != nil)
            } else {
                try await events.wait(forBytes: end)
                #expect(fixture.loader.statistics.codecs + fixture.loader.statistics.codecQueue == 0)
            }
            fixture.body.feedAll()
            #expect(try await events.readToEnd().response != nil)
            // Nothing is retained any more.
            await waitUntil { fixture.loader.pipeline.previews.resources.reserve(budget / 2) }
        }
    }

    @Test func `of a body of unknown length previews begin at the size they are wanted for`() async throws {
        let end = try Data.progressive.scanEnd()
        let fixture = PreviewFixture(isLengthKnown: false, previews: .scans.forBodies(ofAtLeast: end + 10))
        var events = fixture.loader.events(for: fixture.request).makeAsyncIterator()
        fixture.body.feed(to: end + 9)
        try await events.wait(forBytes: end + 9)
        #expect(fixture.loader.statistics.codecs + fixture.loader.statistics.codecQueue == 0)
        fixture.body.feed(to: end + 10)
        #expect(try await events.nextPreview() != nil)
        fixture.body.feedAll()
        _ = try await events.readToEnd()
    }

    @Test func `the next source's previews take the place of the failed one's`() async throws {
        let fixture = PreviewFixture()
        var request = ImageRequest(.photo("missing"))
        request.previews = .scans
        request.alternatives = [.url(.photo())]
        fixture.body.feed(to: try Data.progressive.scanEnd())
        var events = fixture.loader.events(for: request).makeAsyncIterator()
        #expect(try await events.nextPreview() != nil)
        fixture.body.feedAll()
        #expect(try await events.readToEnd().response != nil)
    }
}

extension Names {
    /// Returns a step that changes nothing and records that it ran.
    fileprivate func step(_ name: String) -> ImageSteps.CustomStep {
        ImageSteps.CustomStep(key: name) { _ in
            self.add(name)
            return nil
        }
    }
}
