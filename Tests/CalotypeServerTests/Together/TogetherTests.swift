import CalotypeBase
import CalotypeComparison
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
import Foundation
import Testing
import Waiting

@testable import CalotypeCodecs
@testable import CalotypeServer

/// Results of one original that wait at the same time, and share a decode.
@Suite(.timeLimit(.minutes(2))) struct TogetherTests {
    private static let photo = SamplePhotos.jpeg(width: 1200, height: 900)
    private static let widths = [40, 80, 120, 160, 200]

    private func waiting(
        _ data: Data = photo, _ change: (inout ServerSetup) throws -> Void = { _ in }
    ) async throws -> WaitingServer {
        let waiting = try await WaitingServer(change)
        try waiting.server.write(data, "a.jpg")
        return waiting
    }

    @Test func `sizes that wait for their turn share one decode`() async throws {
        let waiting = try await waiting()
        let answers = try await waiting.answers(waiting.ask(Self.widths))
        #expect(answers.map(\.status) == Array(repeating: 200, count: 5))
        #expect(answers.map { $0.size?.width } == Self.widths)
        #expect(waiting.decodes == 1 && waiting.work.sharing == 5 && waiting.work.encodes == 5 + waiting.busy)
        await waitUntil { waiting.isAtRest }
    }

    @Test func `results of different originals share nothing`() async throws {
        let waiting = try await waiting()
        try waiting.server.write(SamplePhotos.jpeg(width: 1200, height: 900, seed: 2), "b.jpg")
        let tasks = await waiting.ask([40], of: "a.jpg") + waiting.ask([80], of: "b.jpg")
        #expect(try await waiting.answers(tasks).map { $0.size?.width } == [40, 80])
        #expect(waiting.decodes == 2 && waiting.work.sharing == 0)
    }

    @Test func `a server that shares no decodes has one for each size`() async throws {
        let waiting = try await waiting { $0.sharesDecodes = false }
        #expect(try await waiting.answers(waiting.ask(Self.widths)).map { $0.size?.width } == Self.widths)
        #expect(waiting.decodes == 5 && waiting.work.sharing == 0)
    }

    @Test func `crops, steps and formats are those of results that are made alone`() async throws {
        let options = [
            "f:png/rs:fill:100:100/g:no", "f:webp/c:200:100:nowe", "f:png/rot:90", "f:jpg/bl:2",
            "f:png/pd:10/bg:ff0000",
            "f:png/t:10", "f:webp/fl:1:1", "f:png/g:sm/rs:fill:60:90", "f:png/ar:0", "f:png/dpr:2", "f:jpg/el:1/zoom:9",
        ]
        let waiting = try await waiting(Self.photo.addingEXIF(orientation: 6))
        let alone = try TestServer { $0.sharesDecodes = false }
        try alone.write(Self.photo.addingEXIF(orientation: 6), "a.jpg")
        var tasks: [Task<TestServer.Answer, any Error>] = []
        for option in options { tasks += await waiting.ask([90], option) }
        for (answer, option) in zip(try await waiting.answers(tasks), options) {
            let single = try await alone.get(WaitingServer.target(90, option))
            #expect(answer.status == 200 && answer.size == single.size && answer.format == single.format, "\(option)")
        }
        #expect(waiting.work.sharing > 5)
        await waitUntil { waiting.isAtRest }
    }

    @Test func `an animation moves in each result that may, from one decode of its first frame`() async throws {
        let gif = SampleAnimations.gif(width: 100, height: 80, colors: [0xFF0000, 0x0000FF])
        let waiting = try await waiting(gif)
        let tasks = await waiting.ask([20, 40], "f:webp") + waiting.ask([30], "f:png")
        let answers = try await waiting.answers(tasks)
        #expect(try answers.map { try DecoderRegistry.standard.header(of: $0.body).isAnimated } == [true, true, false])
        #expect(waiting.decodes == 1)
    }

    @Test func `a drawing is drawn for each size`() async throws {
        #if SVG
            let svg = Data(
                "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><path d='M0 0h9v9z'/></svg>".utf8)
            let waiting = try await waiting(svg)
            let answers = try await waiting.answers(waiting.ask([20, 40]))
            #expect(answers.map { $0.size?.width } == [20, 40])
            #expect(waiting.decodes == 2 && waiting.work.sharing == 0)
        #endif
    }

    // MARK: Bytes and tags

    @Test(arguments: ["jpg", "png", "webp"])
    func `two results with equal tags have equal bytes, and those with different tags may not`(
        format: String
    ) async throws {
        let photo =
            switch format {
            case "png": SamplePhotos.png(width: 1200, height: 900)
            case "webp": SamplePhotos.webp(width: 1200, height: 900)
            default: Self.photo
            }
        let waiting = try await waiting(photo)
        let alone = try TestServer { $0.sharesDecodes = false }
        try alone.write(photo, "a.jpg")
        let answers = try await waiting.answers(waiting.ask(Self.widths))
        var tags: Set<ByteString> = []
        for (answer, width) in zip(answers, Self.widths) {
            let single = try await alone.get(WaitingServer.target(width))
            let tag = try #require(answer.fields["ETag"]), own = try #require(single.fields["ETag"])
            #expect(tag != own || answer.body == single.body, "\(width)")
            // 200 pixels need a bitmap of 400, and a JPEG is decoded at the half of 1,200.
            #expect(tag.string.hasSuffix(format == "jpg" ? "-600x450\"" : "-400x300\"") && !own.string.contains("-"))
            tags.insert(tag)
        }
        #expect(tags.count == 5)
    }

    @Test func `a size for whose bitmap the others need no more has the bytes and the tag that it has alone`()
        async throws
    {
        let waiting = try await waiting()
        let alone = try TestServer { $0.sharesDecodes = false }
        try alone.write(Self.photo, "a.jpg")
        let answers = try await waiting.answers(waiting.ask([50, 200]))
        let single = try await alone.get(WaitingServer.target(200))
        #expect(waiting.decodes == 1)
        #expect(answers[1].body == single.body && answers[1].fields["ETag"] == single.fields["ETag"])
        #expect(answers[0].fields["ETag"]?.string.hasSuffix("-200x150f\"") == true)
    }

    @Test func `a stored result from a shared bitmap is confirmed without a decode`() async throws {
        let waiting = try await waiting()
        let answers = try await waiting.answers(waiting.ask(Self.widths))
        let decodes = waiting.work.decodes
        waiting.server.clock.advance(by: .seconds(61 + 3600))
        for (answer, width) in zip(answers, Self.widths) {
            let again = try await waiting.server.get(WaitingServer.target(width))
            #expect(again.outcome == "revalidated" && again.body == answer.body)
            #expect(again.fields["ETag"] == answer.fields["ETag"])
        }
        #expect(waiting.work.decodes == decodes)
    }

    @Test(arguments: [
        "\"0-400x300\"", "\"-\"", "\"0-x\"", "\"0-400X300\"", "\"0-\(String(repeating: "9", count: 40))\"",
    ])
    func `a tag with a route that is not its own confirms nothing`(tag: String) async throws {
        let server = try TestServer()
        try server.write(Self.photo, "a.jpg")
        #expect(try await server.get(WaitingServer.target(40), ["If-None-Match": ByteString(tag)]).status == 200)
    }

    /// The figures of Documentation/Decisions.md: with the bytes of alone, only sizes of one scale could share a decode.
    @Test(arguments: [(1600, 1200, 3, 2), (3000, 2000, 4, 2), (4000, 3000, 3, 3), (6000, 4000, 3, 3)])
    func `the sizes of a page need several scales of a JPEG, each of which is its own bytes`(
        width: Int, height: Int, small: Int, large: Int
    ) {
        let full = PixelSize(width: width, height: height)
        func scales(_ widths: [Int]) -> Set<JPEGScale> {
            Set(
                widths.map { side in
                    let least = DecodeSize(full.scaled(by: Double(side) / Double(width)), of: full).least
                    return JPEGScale.smallest(from: full, covering: least)
                })
        }
        #expect(scales([160, 320, 480, 640, 800]).count == small)
        #expect(scales([400, 640, 800, 1200, 1600]).count == large)
    }

    @Test func `a result from a shared bitmap looks as it does alone`() async throws {
        let waiting = try await waiting()
        let alone = try TestServer { $0.sharesDecodes = false }
        try alone.write(Self.photo, "a.jpg")
        for (answer, width) in zip(try await waiting.answers(waiting.ask(Self.widths)), Self.widths) {
            let single = try await alone.get(WaitingServer.target(width))
            let bitmaps = try [single, answer].map { try DecoderRegistry.standard.decode($0.body) }
            let score = try #require(PerceptualSimilarity.Reference(bitmaps[0]).score(of: bitmaps[1]))
            #expect(score > 90, "\(width): \(score)")
        }
    }

    @Test func `an explanation has the way in which a stored result was made`() async throws {
        let waiting = try await waiting { $0.store = "\($0.root)-store" }
        _ = try await waiting.answers(waiting.ask(Self.widths))
        _ = try await waiting.server.get(WaitingServer.target(90))
        for disk in waiting.server.server.disks { try await disk.flush() }
        func explained(_ width: Int) async throws -> String? {
            try await waiting.server.options.explanation(of: WaitingServer.target(width)).first {
                $0.hasPrefix("stored result")
            }
        }
        #expect(
            try await explained(80)
                == "stored result   fresh for 60 s, made together with other sizes from 600 × 450 pixels")
        #expect(try await explained(90) == "stored result   fresh for 60 s")
        #expect(try await explained(91) == "stored result   absent")
    }

    // MARK: Bad input

    @Test func `clients that leave take nothing from the others`() async throws {
        let waiting = try await waiting()
        let tasks = await waiting.ask(Self.widths)
        // The first would have begun the decode, and the last one needs the largest bitmap.
        for index in [0, 4] { tasks[index].cancel() }
        await waitUntil { waiting.server.server.renditions.queue.load.waiting == 3 }
        let answers = try await waiting.answers(Array(tasks[1...3]))
        #expect(answers.map { $0.size?.width } == [80, 120, 160])
        #expect(answers.allSatisfy { $0.fields["ETag"]?.string.hasSuffix("-320x240\"") == true })
        #expect(waiting.decodes == 1)
        await waitUntil { waiting.isAtRest }
    }

    @Test func `if all clients leave, nothing is decoded and nothing stays`() async throws {
        let waiting = try await waiting()
        let tasks = await waiting.ask(Self.widths)
        for task in tasks { task.cancel() }
        await waitUntil { waiting.server.server.renditions.queue.count == waiting.busy }
        _ = try await waiting.answers([])
        #expect(waiting.decodes == 0)
        await waitUntil { waiting.isAtRest }
    }

    @Test func `a size that is refused for its memory leaves the others, which are made together`() async throws {
        let waiting = try await waiting { $0.memoryLimit = MemoryShares.smallest }
        // 4,096 × 3,072 pixels take more than all decodes may.
        let large = await waiting.ask([4096], "f:png/el:1")
        let tasks = await waiting.ask(Self.widths)
        let answers = try await waiting.answers(large + tasks)
        #expect(answers.map(\.status) == [422, 200, 200, 200, 200, 200])
        #expect(answers.dropFirst().map { $0.size?.width } == Self.widths)
        await waitUntil { waiting.isAtRest }
        #expect(waiting.work.sharing == 5)
    }

    @Test func `each size of a damaged image fails as it does alone`() async throws {
        let waiting = try await waiting(Self.photo.prefix(Self.photo.count * 9 / 10))
        let alone = try TestServer { $0.sharesDecodes = false }
        try alone.write(Self.photo.prefix(Self.photo.count * 9 / 10), "a.jpg")
        let answers = try await waiting.answers(waiting.ask(Self.widths))
        let single = try await alone.get(WaitingServer.target(40))
        #expect(single.status == 422 && answers.allSatisfy { $0.status == 422 && $0.text == single.text })
        #expect(waiting.decodes == 1)
        await waitUntil { waiting.isAtRest }
    }

    @Test func `an original that changes between two sizes has each result of one version`() async throws {
        let red = try Self.canvas(0xFF0000), blue = try Self.canvas(0x0000FF)
        let waiting = try await waiting(red)
        let early = await waiting.ask([40, 80])
        try waiting.server.write(blue, "a.jpg")
        let late = await waiting.ask([60, 100])
        let answers = try await waiting.answers(early + late)
        // The first two were asked for, and their file read, before it changed.
        for (answer, (width, color)) in zip(
            answers, [(40, Self.redPixel), (80, Self.redPixel), (60, Self.bluePixel), (100, Self.bluePixel)])
        {
            let pixels = try DecoderRegistry.standard.decode(answer.body).pixelValues
            #expect(answer.status == 200 && answer.size?.width == width)
            #expect(pixels.allSatisfy { $0 == color }, "\(width)")
        }
        await waitUntil { waiting.isAtRest }
    }

    @Test func `a purge while sizes wait leaves no stale result`() async throws {
        let red = try Self.canvas(0xFF0000), blue = try Self.canvas(0x0000FF)
        let waiting = try await waiting(red)
        let tasks = await waiting.ask([40, 80])
        try waiting.server.write(blue, "a.jpg")
        _ = try await waiting.server.server.purging.purge(.source("local:///a.jpg"), isHard: true)
        waiting.server.clock.advance(by: .seconds(2))
        _ = try await waiting.answers(tasks)
        for width in [40, 80] {
            let again = try await waiting.server.get(WaitingServer.target(width))
            let pixels = try DecoderRegistry.standard.decode(again.body).pixelValues
            #expect(pixels.allSatisfy { $0 == Self.bluePixel }, "\(width) is not blue")
        }
    }

    // MARK: Limits

    @Test func `200 originals in five sizes at once, half of them left, give everything back`() async throws {
        let server = try TestServer { $0.queueLimit = 2000 }
        let photo = SamplePhotos.jpeg(width: 160, height: 120)
        for number in 0..<200 { try server.write(photo.addingSegment(0xFE, Data("\(number)".utf8)), "\(number).jpg") }
        let tasks = (0..<1000).map { index in
            Task { try await server.get(WaitingServer.target(20 + 10 * (index % 5), of: "\(index / 5).jpg")) }
        }
        for index in stride(from: 0, to: 1000, by: 2) { tasks[index].cancel() }
        var made = 0
        for (index, task) in tasks.enumerated() {
            guard let answer = try? await task.value else { continue }
            #expect(answer.status == 200 && answer.size?.width == 20 + 10 * (index % 5))
            made += 1
        }
        #expect(made >= 500)
        let maker = server.server.renditions.maker
        await waitUntil {
            maker.queue.count == 0 && server.server.reservedBytes == 0 && maker.shared?.count == 0
                && maker.work.inProgress == 0 && maker.sources.held.bytes == 0
        }
    }

    @Test func `with one place, one decoder and the least memory, sizes are made or refused`() async throws {
        let server = try TestServer {
            ($0.queueLimit, $0.processors) = (1, 1)
            $0.memoryLimit = MemoryShares.smallest
        }
        try server.write(Self.photo, "a.jpg")
        let tasks = (1...20).map { width in Task { try await server.get(WaitingServer.target(10 * width)) } }
        var statuses: Set<Int> = []
        for task in tasks { statuses.insert(try await task.value.status) }
        #expect(statuses.isSubset(of: [200, 503]) && statuses.contains(200))
        let maker = server.server.renditions.maker
        await waitUntil { maker.queue.count == 0 && server.server.reservedBytes == 0 && maker.shared?.count == 0 }
        #expect(try await server.get(WaitingServer.target(15)).status == 200)
    }

    private static let redPixel = SIMD4<UInt8>(0, 0, 255, 255), bluePixel = SIMD4<UInt8>(255, 0, 0, 255)

    /// Returns a PNG of 400 × 300 pixels of one color.
    private static func canvas(_ color: UInt32) throws -> Data {
        let pixel = SIMD4<UInt8>(UInt8(color & 255), UInt8(color >> 8 & 255), UInt8(color >> 16), 255)
        let bitmap = try Bitmap(width: 400, height: 300, hasAlpha: false) { (bytes, stride) throws(CodecError) in
            for y in 0..<300 {
                for x in 0..<400 {
                    bytes.storeBytes(of: pixel, toByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                }
            }
        }
        return try bitmap.encoded(as: .png)
    }
}
