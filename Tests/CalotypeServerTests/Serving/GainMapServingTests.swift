import CalotypeBase
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Foundation
import TestSupport
import Testing

@testable import CalotypeCodecs
@testable import CalotypeServer

/// Gain maps in the results of a server.
struct GainMapServingTests {
    private static let everything: ByteString = "image/webp,*/*"

    private func server(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        let server = try TestServer(change)
        try server.write(SampleGainMap.jpeg(width: 800, height: 600), "hdr.jpg")
        try server.write(SampleGainMap.wrong(width: 800, height: 600), "wrong.jpg")
        try server.write(SamplePhotos.jpeg(width: 800, height: 600), "sdr.jpg")
        return server
    }

    private func get(_ server: TestServer, _ target: ByteString) async throws -> TestServer.Answer {
        try await server.get("/_/\(target)", ["Accept": Self.everything])
    }

    @Test(
        arguments: [
            ("w:400/plain/local:///hdr.jpg", "jpeg", true), ("w:399/plain/local:///hdr.jpg", "webp", false),
            // The longer side counts.
            ("h:300/plain/local:///hdr.jpg", "jpeg", true), ("w:500/plain/local:///sdr.jpg", "webp", false),
            ("w:500/plain/local:///hdr.jpg@jpg", "jpeg", true), ("w:500/plain/local:///hdr.jpg@webp", "webp", false),
            ("w:500/plain/local:///hdr.jpg@best", "jpeg", true), ("w:500/plain/local:///wrong.jpg", "webp", false),
            ("rs:fill:500:200/rot:90/fl:1:1/plain/local:///hdr.jpg", "jpeg", true),
            ("w:450/pd:20/plain/local:///hdr.jpg", "jpeg", true),
            ("w:450/t:10/bl:2/br:9/plain/local:///hdr.jpg", "jpeg", true),
            ("w:450/pix:9/plain/local:///hdr.jpg", "jpeg", true),
        ] as [(ByteString, String, Bool)])
    func `a result that is large enough is a JPEG with the map`(
        target: ByteString, format: String, hasMap: Bool
    ) async throws {
        let answer = try await get(server(), target)
        #expect(answer.status == 200 && answer.format?.rawValue == format)
        #expect(GainMap.isPresent(in: answer.body) == hasMap)
        guard hasMap else { return }
        let source = try #require(try GainMap.source(in: answer.body)), size = try #require(answer.size)
        #expect(abs(4 * source.size.width - size.width) <= 4 && abs(4 * source.size.height - size.height) <= 4)
        #expect(source.numbers.alternateHeadroom == 2 && source.isGray)
    }

    @Test(
        arguments: [
            ("w:400/plain/local:///hdr.jpg", "image/avif,image/webp,*/*", "avif", true),
            ("w:399/plain/local:///hdr.jpg", "image/avif,image/webp,*/*", "avif", false),
            ("w:400/plain/local:///hdr.jpg@avif", "*/*", "avif", true),
            ("w:400/plain/local:///hdr.jpg@avif", "image/webp,*/*", "avif", true),
            ("rs:fill:500:200/rot:90/pd:9/plain/local:///hdr.jpg", "image/avif,*/*", "avif", true),
            // AVIF takes too long.
            ("rs:force:1400:1000:1/plain/local:///hdr.jpg", "image/avif,image/webp,*/*", "jpeg", true),
        ] as [(ByteString, ByteString, String, Bool)])
    func `a client that accepts AVIF gets the map in one`(
        target: ByteString, accept: ByteString, format: String, hasMap: Bool
    ) async throws {
        let answer = try await server().get("/_/\(target)", ["Accept": accept])
        #expect(answer.status == 200 && answer.format?.rawValue == format)
        #expect(GainMap.isPresent(in: answer.body) == hasMap)
        guard hasMap else { return }
        #expect(try GainMap.source(in: answer.body)?.numbers.alternateHeadroom == 2)
    }

    @Test func `the map of an AVIF is kept before the client's formats count`() async throws {
        func image(_ width: Int, _ height: Int) throws -> GainMapItems.Image {
            let bitmap = SamplePhotos.bitmap(width: width, height: height)
            return GainMapItems.Image(
                try bitmap.encoded(as: .avif(quality: 50, speed: 10)), width: width, height: height)
        }
        let numbers = GainMapNumbers([.init(least: 0, most: 2)], baseHeadroom: 0, alternateHeadroom: 2)
        let file = GainMapItems(base: try image(800, 600), map: try image(200, 150), iso: numbers?.iso)
        var turned = file
        turned.map.properties = [GainMapItems.irot(1)]
        let server = try server()
        try server.write(file.data, "hdr.avif")
        try server.write(turned.data, "turned.avif")
        for (width, format, hasMap) in [(400, "jpeg", true), (399, "webp", false)] {
            let answer = try await get(server, "w:\(width)/plain/local:///hdr.avif")
            #expect(answer.status == 200 && answer.format?.rawValue == format)
            #expect(GainMap.isPresent(in: answer.body) == hasMap)
        }
        let dropped = try await get(server, "w:500/plain/local:///turned.avif")
        #expect(dropped.format == .webp && !GainMap.isPresent(in: dropped.body))
    }

    @Test func `a server that drops maps keeps those that a URL asks for`() async throws {
        let server = try server { $0.options.making.keepsGainMaps = false }
        #expect(try await get(server, "w:500/plain/local:///hdr.jpg").format == .webp)
        let kept = try await get(server, "w:500/ph:1/plain/local:///hdr.jpg")
        #expect(kept.format == .jpeg && GainMap.isPresent(in: kept.body))
        #expect(try !GainMap.isPresent(in: await get(server, "w:500/plain/local:///hdr.jpg@jpg").body))
    }

    @Test func `another setting gives results other entity tags`() async throws {
        func tag(_ keeps: Bool, _ target: ByteString) async throws -> ByteString? {
            try await get(server { $0.options.making.keepsGainMaps = keeps }, target).fields["ETag"]
        }
        let jpeg: ByteString = "w:500/plain/local:///sdr.jpg@jpg"
        #expect(try await tag(true, jpeg) != tag(false, jpeg))
        let webp: ByteString = "w:500/plain/local:///sdr.jpg@webp"
        #expect(try await tag(true, webp) == tag(false, webp))
    }

    @Test func `maps are counted by what became of them`() async throws {
        let server = try server()
        for name in ["hdr", "wrong", "sdr"] { _ = try await get(server, "w:500/plain/local:///\(name).jpg") }
        let counts = server.server.metrics.values.gainMaps
        #expect(counts.map(\.0) == ["kept", "numbers"] && counts.map(\.1) == [1, 1])
    }

    @Test func `a limit of bytes counts the map`() async throws {
        let answer = try await get(server(), "w:600/mb:14000/plain/local:///hdr.jpg")
        #expect(answer.body.count <= 14_000 && GainMap.isPresent(in: answer.body))
    }

    @Test func `the author stays beside the map`() async throws {
        let server = try server()
        let credits = try #require(ImageCredits(artist: Array("Anna".utf8), copyright: []))
        try server.write(
            EXIFBlock(credits).embedded(in: SampleGainMap.jpeg(width: 800, height: 600), .jpeg), "anna.jpg")
        let answer = try await get(server, "w:500/plain/local:///anna.jpg")
        #expect(ImageCredits(of: answer.body) == credits)
        #expect(try GainMap.source(in: answer.body)?.range?.upperBound == answer.body.count)
    }

    @Test func `explain says which results keep a map`() async throws {
        let server = try server()
        func line(_ target: ByteString) async throws -> String? {
            try await server.options.explanation(of: "/_/\(target)").first { $0.hasPrefix("gain map") }
        }
        let choice = "have it: an AVIF if the client accepts it, otherwise a JPEG"
        #expect(try await line("plain/local:///hdr.jpg")?.hasSuffix(choice) == true)
        #expect(try await line("plain/local:///hdr.jpg@avif")?.hasSuffix("have it") == true)
        #expect(try await line("plain/local:///hdr.jpg@webp") == nil)
    }
}
