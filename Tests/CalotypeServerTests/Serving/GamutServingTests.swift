import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeServer

/// Results of sources whose colors are beyond sRGB.
@Suite struct GamutServingTests {
    private let decoders = DecoderRegistry.standard

    private func server(_ gamut: ColorGamut? = nil) throws -> TestServer {
        let server = try TestServer { if let gamut { $0.gamut = gamut } }
        try server.write(SamplePhotos.displayP3PNG(width: 120, height: 90), "wide.png")
        try server.write(SamplePhotos.jpeg(width: 120, height: 90), "usual.jpg")
        return server
    }

    @Test(arguments: ["png", "jpg", "webp", "avif"])
    func `a result keeps the gamut of its source, with its steps`(format: String) async throws {
        let server = try server()
        for options in ["w:60", "rs:fill:40:40/g:sm", "t:10/w:60", "w:60/pd:4/bg:ff0000/rot:90", "w:60/bl:1/el:1"] {
            let answer = try await server.get("/_/\(options)/plain/local:///wide.png@\(format)")
            #expect(answer.status == 200)
            #expect(decoders.colors(of: answer.body) == "Display P3", "\(options)")
        }
        let usual = try await server.get("/_/w:60/plain/local:///usual.jpg@\(format)")
        #expect(decoders.colors(of: usual.body) != "Display P3")
        await server.close()
    }

    @Test func `the colors of a background are sRGB, whatever the result's gamut`() async throws {
        let server = try server()
        let answer = try await server.get("/_/w:60/pd:8/bg:ff0000/plain/local:///wide.png@png")
        let seen = try decoders.decode(answer.body)
        let corner = seen.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self) }
        #expect(corner >> 16 & 0xFF >= 253 && corner >> 8 & 0xFF <= 6 && corner & 0xFF <= 6)
        await server.close()
    }

    @Test func `a server that converts all colors to sRGB makes other results, with other tags`() async throws {
        let target: ByteString = "/_/w:60/plain/local:///wide.png@jpg"
        let first = try server()
        let wide = try await first.get(target)
        await first.close()
        let second = try server(.sRGB)
        let narrow = try await second.get(target)
        #expect(narrow.status == 200 && narrow.fields["ETag"] != wide.fields["ETag"])
        #expect(decoders.colors(of: narrow.body) != "Display P3" && narrow.body.count < wide.body.count)
        // Both show the same colors, as far as sRGB has them.
        let (one, other) = try (decoders.decode(wide.body), decoders.decode(narrow.body))
        #expect(try #require(PerceptualSimilarity.Reference(one).score(of: other)) > 80)
        await second.close()
    }

    /// An animated WebP in Display P3: a gradient of strong colors, and its mirror image.
    private func animation() throws -> Data {
        let first = try decoders.decode(SamplePhotos.displayP3PNG(width: 120, height: 90), gamut: .displayP3)
        let writer = try AnimatedWebPWriter(
            size: first.size, loopCount: 3, compression: .lossless, gamut: first.gamut)
        try writer.add(first, duration: .milliseconds(100))
        try writer.add(first.applying(.flip(.horizontal)), duration: .milliseconds(200))
        return try writer.finish()
    }

    @Test(arguments: ["w:60", "rs:fill:40:40/g:sm", "w:60/pd:4/bg:ff0000/rot:90", "w:60/q:95/bl:1"] as [ByteString])
    func `an animation keeps the gamut of its source, with its steps`(options: ByteString) async throws {
        let server = try server()
        try server.write(animation(), "moving.webp")
        let answer = try await server.get("/_/\(options)/plain/local:///moving.webp@webp")
        #expect(answer.status == 200 && decoders.colors(of: answer.body) == "Display P3")
        let moving = try #require(try decoders.animation(for: answer.body, gamut: .displayP3))
        #expect(moving.durations == [.milliseconds(100), .milliseconds(200)] && moving.loopCount == 3)
        // As a still image of the first frame, apart from what the encoder loses.
        let still = try decoders.decode(
            try await server.get("/_/\(options)/plain/local:///moving.webp@png").body, gamut: .displayP3)
        #expect(still.gamut == .displayP3)
        #expect(try #require(PerceptualSimilarity.Reference(still).score(of: moving.frame(at: 0))) > 60)
        await server.close()
    }

    @Test func `a server that converts all colors makes animations in sRGB, with other tags`() async throws {
        let target: ByteString = "/_/w:60/plain/local:///moving.webp@webp"
        var answers: [(tag: String?, body: Data)] = []
        for gamut in [ColorGamut.displayP3, .sRGB] {
            let server = try server(gamut)
            try server.write(animation(), "moving.webp")
            let answer = try await server.get(target)
            #expect(answer.status == 200)
            answers.append((answer.fields["ETag"].map { "\($0)" }, answer.body))
            await server.close()
        }
        #expect(answers[0].tag != answers[1].tag)
        #expect(answers[1].body.range(of: Data("ICCP".utf8)) == nil)
        // Both show the same colors, as far as sRGB has them.
        let frames = try answers.map { try #require(try decoders.animation(for: $0.body)).frame(at: 1) }
        #expect(try #require(PerceptualSimilarity.Reference(frames[0]).score(of: frames[1])) > 80)
    }

    @Test func `results of one upload keep its gamut`() async throws {
        let server = try TestServer.forPosts()
        let answer = try await server.post(
            "/_/f:png/each/w:60/each/w:30/", SamplePhotos.displayP3PNG(width: 120, height: 90))
        #expect(answer.status == 200)
        #expect(answer.body.ranges(of: Data("cICP".utf8)).count == 2)
    }
}
