import CalotypeBase
import CalotypeCodecs
import CalotypeComparison
import CalotypeHTTP
import CalotypeTesting
import CalotypeURLs
import Foundation
import Testing

@testable import CalotypeServer

/// The format `best` of URLs, which the image decides about.
struct BestFormatTests {
    private static let everything: ByteString = "image/avif,image/webp,*/*"

    /// Lines and boxes in few colors, red beside blue, that are repeated as in a screenshot.
    private static func drawing() throws -> Bitmap {
        try Bitmap(width: 240, height: 160, hasAlpha: false) { pixels, stride in
            for y in 0..<160 {
                for x in 0..<240 {
                    let isInk = x % 24 < 14 && y % 20 < 12 && (x % 6 < 2 || y % 5 == 0)
                    let color: UInt32 = isInk ? (y % 40 < 20 ? 0xFFCC_1020 : 0xFF10_20CC) : 0xFFF8_F8F0
                    pixels.storeBytes(of: color, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
    }

    /// Red, green and blue rings with soft edges.
    private static func logo() throws -> Bitmap {
        try Bitmap(width: 240, height: 160, hasAlpha: false) { pixels, stride in
            for y in 0..<160 {
                for x in 0..<240 {
                    var color = SIMD3(240.0, 240, 235)
                    for ring in 0..<9 {
                        let (across, down) = (Double(x - 20 - ring * 25), Double(y - 30 - ring * 53 % 110))
                        let distance = abs((across * across + down * down).squareRoot() - 34)
                        let cover = min(max(7 - distance, 0), 1)
                        var ink = SIMD3(10.0, 10, 20)
                        ink[ring % 3] = 230
                        color = color * (1 - cover) + ink * cover
                    }
                    for channel in 0..<3 { pixels[y * stride + 4 * x + channel] = UInt8(color[channel]) }
                    pixels[y * stride + 4 * x + 3] = 255
                }
            }
        }
    }

    private func server(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
        let server = try TestServer(change)
        try server.write(Self.drawing().encoded(as: .png), "drawing.png")
        try server.write(Self.logo().encoded(as: .png), "logo.png")
        try server.write(SamplePhotos.png(width: 240, height: 160), "photo.png")
        try server.write(SamplePhotos.png(width: 240, height: 160, hasAlpha: true), "clear.png")
        try server.write(SampleAnimations.gif(width: 64, height: 48, colors: [0xFF0000, 0x00FF00]), "moving.gif")
        return server
    }

    private func get(
        _ server: TestServer, _ name: ByteString, _ accept: ByteString?, method: HTTPMethod = .get,
        _ more: HTTPFields = [:]
    ) async throws -> TestServer.Answer {
        var fields = more
        fields["Accept"] = accept
        return try await server.get("/_/plain/local:///\(name)", method: method, fields)
    }

    @Test(
        arguments: [
            ("drawing.png", everything, "webp"), ("drawing.png", "image/webp", "webp"), ("drawing.png", nil, "png"),
            ("logo.png", "image/avif", "avif"), ("logo.png", nil, "png"),
            ("photo.png", everything, "avif"), ("photo.png", "image/webp", "webp"), ("photo.png", nil, "jpeg"),
            ("clear.png", everything, "avif"), ("clear.png", "image/webp", "webp"), ("clear.png", nil, "png"),
            ("moving.gif", everything, "webp"), ("moving.gif", "image/webp", "webp"),
        ] as [(ByteString, ByteString?, ByteString)])
    func `the image and the client decide about the best format`(
        name: ByteString, accept: ByteString?, format: ByteString
    ) async throws {
        let answer = try await get(server(), "\(name)@best", accept)
        #expect(answer.status == 200 && answer.fields["Content-Type"] == "image/\(format)", "\(answer.fields)")
        #expect(answer.fields["Vary"] == "Accept" && answer.format?.rawValue == format.string)
    }

    @Test func `a drawing loses nothing that is seen, in fewer bytes than its AVIF`() async throws {
        let server = try server(), drawing = try Self.drawing()
        let best = try await get(server, "drawing.png@best", Self.everything)
        let plain = try await get(server, "drawing.png", Self.everything)
        #expect(plain.format == .avif && best.body.count < plain.body.count)
        let scores = try [best, plain].map {
            try #require(PerceptualSimilarity.score(drawing, try DecoderRegistry.standard.decode($0.body)))
        }
        #expect(scores[0] > 90 && scores[1] < scores[0], "\(scores)")
    }

    @Test func `an AVIF of a drawing keeps its colors`() async throws {
        let server = try server(), drawing = try Self.logo()
        let best = try await get(server, "logo.png@best", "image/avif")
        let plain = try await get(server, "logo.png", "image/avif")
        let scores = try [best, plain].map {
            try #require(PerceptualSimilarity.score(drawing, try DecoderRegistry.standard.decode($0.body)))
        }
        #expect(scores[0] > scores[1] + 10, "\(scores)")
    }

    @Test func `a photograph has the bytes that it has without best`() async throws {
        let server = try server()
        for accept in [Self.everything, "image/webp"] {
            let best = try await get(server, "photo.png@best", accept)
            let plain = try await get(server, "photo.png", accept)
            #expect(best.body == plain.body && best.fields["ETag"] != plain.fields["ETag"])
        }
    }

    @Test func `an animation stays one for clients that accept WebP`() async throws {
        let answer = try await get(server(), "moving.gif@best", Self.everything)
        #expect(try DecoderRegistry.standard.animation(for: answer.body)?.frameCount == 2)
    }

    @Test func `HEAD, conditions and a second server agree on the tag`() async throws {
        let server = try server()
        for (name, accept) in [("drawing.png@best", Self.everything), ("photo.png@best", nil)]
            as [(ByteString, ByteString?)]
        {
            let first = try await get(server, name, accept)
            let head = try await get(server, name, accept, method: .head)
            #expect(head.fields["Content-Type"] == first.fields["Content-Type"])
            #expect(head.fields["ETag"] == first.fields["ETag"] && head.fields["Vary"] == "Accept")
            let tag = try #require(first.fields["ETag"])
            let again = try await get(server, name, accept, ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty && again.fields["Vary"] == "Accept")
            let other = try await get(self.server(), name, accept)
            #expect(other.body == first.body && other.fields["ETag"] == tag)
        }
    }

    @Test func `clients of other formats have other tags`() async throws {
        let server = try server()
        var tags: Set<ByteString?> = []
        for accept in [Self.everything, "image/webp", nil] as [ByteString?] {
            tags.insert(try await get(server, "photo.png@best", accept).fields["ETag"])
        }
        #expect(tags.count == 3)
    }

    @Test func `without negotiation, best chooses between PNG and JPEG`() async throws {
        let server = try server { $0.negotiated = [] }
        for (name, format) in [("drawing.png", .png), ("photo.png", .jpeg)] as [(ByteString, ImageFormat)] {
            let answer = try await get(server, "\(name)@best", Self.everything)
            #expect(answer.format == format && answer.fields["Vary"] == nil)
        }
    }

    @Test func `a default of best applies to URLs without a format`() async throws {
        let server = try server { try $0.grammar.addDefaults("f:best") }
        let answer = try await get(server, "photo.png", nil)
        let named = try await get(server, "photo.png@best", nil)
        #expect(answer.format == .jpeg && answer.fields["ETag"] == named.fields["ETag"])
        #expect(try await get(server, "photo.png@png", nil).format == .png)
    }

    @Test func `a source that may be sent as it is becomes the best format, too`() async throws {
        let answer = try await server().get("/_/skp:png/plain/local:///photo.png@best")
        #expect(answer.format == .jpeg)
    }

    @Test func `the limit of bytes holds for the best format`() async throws {
        let server = try server()
        for name in ["drawing.png", "photo.png"] as [ByteString] {
            let answer = try await server.get("/_/mb:2500/plain/local:///\(name)@best", ["Accept": Self.everything])
            #expect(answer.status == 200 && answer.body.count <= 2500, "\(name) has \(answer.body.count) bytes")
        }
    }

    @Test func `explain says what decides about the best format`() async throws {
        let server = try server()
        let lines = try await server.options.explanation(of: "/_/plain/local:///photo.png@best")
        #expect(lines.contains { $0.hasPrefix("format          by the client's Accept; a drawing is") }, "\(lines)")
        #expect(lines.first?.hasSuffix("@best") == true)
    }

    @Test func `the memory of the best format is that of the file without loss`() throws {
        func peak(_ path: ByteString) throws -> Int {
            let request = try RenditionRequest(path: path)
            let encoding = RenditionEncoding(options: request.options, accepted: [.webp, .avif])
            return encoding.peakBytes(of: PixelSize(width: 1000, height: 900), hasAlpha: false)
        }
        #expect(try peak("/plain/a@best") >= peak("/webpo:lossless/plain/a@webp"))
    }

    @Test(arguments: [0.0, 0.3, 0.7]) func `a photograph in front of white is no drawing`(white: Double) throws {
        let photo = SamplePhotos.bitmap(width: 400, height: 300)
        let side = Int(400 * white)
        let framed = try photo.applying(
            ImageSteps.Pad(top: side, left: side, bottom: side, right: side, color: .white))
        #expect(!framed.isGraphic)
        #expect(try Self.drawing().isGraphic)
    }
}
