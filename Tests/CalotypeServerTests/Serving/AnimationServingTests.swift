import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// Animated sources: every frame of the result, and the limits.
@Suite(.requirement("V21")) struct AnimationServingTests {
    private let server: TestServer
    private static let webp: HTTPFields = ["Accept": "image/avif,image/webp,*/*"]

    init() throws {
        server = try TestServer()
        try server.write(
            SampleAnimations.gif(
                width: 80, height: 60, colors: [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF], delay: 7, repetitions: 2),
            "a.gif")
    }

    private func animation(_ options: ByteString, _ fields: HTTPFields = webp) async throws -> AnimatedImage? {
        let answer = try await server.get("/_/\(options)/plain/local:///a.gif", fields)
        #expect(answer.status == 200, "\(answer.text)")
        return try DecoderRegistry.standard.animation(for: answer.body)
    }

    /// The color in the middle, as 0xRRGGBB with four bits for each channel.
    private func color(_ bitmap: Bitmap) -> Int {
        bitmap.withUnsafeBytes { bytes in
            let pixel = bitmap.height / 2 * bitmap.stride + bitmap.width / 2 * 4
            return Int(bytes[pixel + 2] >> 4) << 8 | Int(bytes[pixel + 1] >> 4) << 4 | Int(bytes[pixel] >> 4)
        }
    }

    @Test func `a GIF becomes an animated WebP with its frames, delays and loops`() async throws {
        let original = try #require(
            try DecoderRegistry.standard.animation(for: Data(contentsOf: server.root.appending(path: "files/a.gif"))))
        let made = try #require(try await animation("rs:fill:20:20"))
        #expect(made.size == PixelSize(width: 20, height: 20))
        #expect(made.durations == original.durations && made.loopCount == original.loopCount)
        let colors = try (0..<4).map { color(try made.frame(at: $0)) }
        #expect(colors == [0xF00, 0x0F0, 0x00F, 0xFFF] || colors == [0xE00, 0x0F0, 0x00F, 0xFFF], "\(colors)")
    }

    @Test(
        arguments: [
            ("w:20/f:webp", [:], true), ("w:20", webp, true), ("w:20", [:], false),
            ("w:20", ["Accept": "image/avif"], false), ("w:20/f:avif", webp, false), ("w:20/f:png", webp, false),
            ("w:20/f:jpg", webp, false), ("w:20/da:1", webp, false), ("w:20/maf:1", webp, false),
        ] as [(ByteString, HTTPFields, Bool)])
    func `motion needs WebP, by name or by the client's Accept`(
        options: ByteString, fields: HTTPFields, isAnimated: Bool
    ) async throws {
        #expect((try await animation(options, fields) != nil) == isAnimated)
    }

    @Test func `APNG and animated WebP keep their motion, too, and a still GIF has none`() async throws {
        let frames = try #require(try await animation("w:40"))
        try server.write(frames.encoded(as: .webpLossless), "b.webp")
        let again = try await server.get("/_/w:10/plain/local:///b.webp@webp")
        #expect(try DecoderRegistry.standard.animation(for: again.body)?.frameCount == 4)
        try server.write(SampleAnimations.gif(width: 8, height: 8, colors: [0xFF0000]), "still.gif")
        let still = try await server.get("/_/w:4/plain/local:///still.gif@webp")
        #expect(still.status == 200 && still.format == .webp)
        #expect(try DecoderRegistry.standard.animation(for: still.body) == nil)
    }

    @Test(
        arguments: [
            ("rs:fit:20:20", 20, 15), ("c:40:40:nowe/w:20", 20, 20), ("rs:fill:20:10/g:sm", 20, 10),
            ("c:0.5:0.5:sm", 40, 30), ("t:10/w:40", 40, 30), ("rot:90/w:15", 15, 20), ("w:20/pd:5", 30, 25),
            ("s:100:100:0:1", 100, 100), ("w:20/fl:1/bl:1/bg:ffffff", 20, 15),
        ] as [(ByteString, Int, Int)])
    func `every frame has the layout`(options: ByteString, width: Int, height: Int) async throws {
        let made = try #require(try await animation(options))
        #expect(made.size == PixelSize(width: width, height: height))
        #expect(made.frameCount == 4)
    }

    @Test(arguments: [("maf:3", 3), ("maf:9", 4), ("maf:0", 4)] as [(ByteString, Int)])
    func `max_animation_frames keeps the first frames`(option: ByteString, count: Int) async throws {
        let made = try #require(try await animation("w:20/\(option)"))
        #expect(made.frameCount == count)
        #expect(try color(made.frame(at: 2)) == 0x00F)
    }

    @Test(
        arguments: [
            // 4 frames of 4800 pixels, which count as 16,384 each.
            ("msr:0.07", 200), ("msr:0.06", 422), ("msr:0.06/maf:3", 200), ("msr:0.06/da:1", 200),
            ("mafr:0.0048", 200), ("mafr:0.0047", 422), ("mafr:0.0047/f:png", 200),
        ] as [(ByteString, Int)])
    func `the pixels of all frames count against the limit`(option: ByteString, status: Int) async throws {
        let answer = try await server.get("/_/w:20/\(option)/plain/local:///a.gif", Self.webp)
        #expect(answer.status == status, "\(answer.text)")
    }

    /// A server whose limit for all frames is this number of pixels.
    private func server(limit: Int) throws -> TestServer {
        let limited = try TestServer { $0.maxAnimationPixels = limit }
        try limited.write(Data(contentsOf: server.root.appending(path: "files/a.gif")), "a.gif")
        return limited
    }

    @Test(
        arguments: [
            ("w:20/f:webp", [:]), ("w:20", webp), ("w:20/msr:50/f:webp", [:]), ("w:20/mafr:50/f:webp", [:]),
            ("w:20/maf:4/f:webp", [:]),
        ] as [(ByteString, HTTPFields)])
    func `above the server's limit, which no URL raises, the result is the first frame`(
        options: ByteString, fields: HTTPFields
    ) async throws {
        let answer = try await server(limit: 4 * 16_384 - 1).get("/_/\(options)/plain/local:///a.gif", fields)
        #expect(answer.status == 200 && answer.size == PixelSize(width: 20, height: 15))
        #expect(try DecoderRegistry.standard.animation(for: answer.body) == nil)
        #expect([0xF00, 0xE00].contains(color(try DecoderRegistry.standard.decode(answer.body))))
    }

    @Test(arguments: [("w:20", 4 * 16_384, 4), ("w:20/maf:3", 3 * 16_384, 3)] as [(ByteString, Int, Int)])
    func `the server's limit counts the frames of the result`(
        options: ByteString, limit: Int, count: Int
    ) async throws {
        let answer = try await server(limit: limit).get("/_/\(options)/plain/local:///a.gif@webp")
        #expect(try DecoderRegistry.standard.animation(for: answer.body)?.frameCount == count)
    }

    @Test(arguments: ["msr:0.06", "mafr:0.0047"] as [ByteString])
    func `above a limit of the URL it is 422, whatever the server's limit is`(option: ByteString) async throws {
        for limit in [0, 1 << 40] {
            let answer = try await server(limit: limit).get("/_/w:20/\(option)/plain/local:///a.gif@webp")
            #expect(answer.status == 422)
        }
    }

    @Test func `the tag of a result that may move depends on the server's limit`() async throws {
        let (small, large) = (try server(limit: 0), try server(limit: 1 << 40))
        for (name, isEqual) in [("webp", false), ("png", true)] {
            let target: ByteString = "/_/w:20/plain/local:///a.gif@\(name)"
            let tags = [try await small.get(target).fields["ETag"], try await large.get(target).fields["ETag"]]
            #expect(tags.allSatisfy { $0 != nil } && (tags[0] == tags[1]) == isEqual)
        }
    }

    @Test(.requirement("V18")) func `a damaged frame is 422`() async throws {
        var file = try Data(contentsOf: server.root.appending(path: "files/a.gif"))
        // LZW's code for the end, in the middle of the third frame.
        file[file.count * 5 / 8] = 0x81
        try server.write(file, "bad.gif")
        #expect(try await server.get("/_/w:20/plain/local:///bad.gif@webp").status == 422)
        #expect(try await server.get("/_/w:20/maf:2/plain/local:///bad.gif@webp").status == 200)
    }

    @Test func `an animation that is cut short ends with its last whole frame`() async throws {
        let file = try Data(contentsOf: server.root.appending(path: "files/a.gif"))
        try server.write(file.prefix(file.count - 1000), "cut.gif")
        let answer = try await server.get("/_/w:20/plain/local:///cut.gif@webp")
        #expect(try DecoderRegistry.standard.animation(for: answer.body)?.frameCount == 3)
    }

    @Test(.requirement("V34")) func `an animation is stored and validated like any result`() async throws {
        let target: ByteString = "/_/w:20/plain/local:///a.gif@webp"
        let first = try await server.get(target), second = try await server.get(target)
        #expect(second.body == first.body)
        #expect(second.fields["Cache-Status"]?.contains("hit") == true)
        let tag = try #require(first.fields["ETag"])
        #expect(try await server.get(target, ["If-None-Match": tag]).status == 304)
    }
}
