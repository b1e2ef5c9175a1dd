import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeStore
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Requirements
import Testing

@testable import CalotypeServer

/// The format of a result whose URL names none.
@Suite(.requirement("V36")) struct NegotiationTests {
    private static let everything: ByteString = "image/avif,image/webp,*/*"

    private func server(_ negotiated: AcceptedFormats = [.webp, .avif]) throws -> TestServer {
        let server = try TestServer { $0.negotiated = negotiated }
        try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
        try server.write(SamplePhotos.png(width: 64, height: 48), "a.png")
        try server.write(SampleAnimations.gif(width: 64, height: 48, colors: [0xFF0000, 0x00FF00]), "a.gif")
        return server
    }

    private func get(_ server: TestServer, _ name: String, _ accept: ByteString?) async throws -> TestServer.Answer {
        var fields: HTTPFields = [:]
        fields["Accept"] = accept
        let answer = try await server.get("/_/w:32/plain/local:///\(name)", fields)
        #expect(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test(
        arguments: [
            ("a.png", nil, .png), ("a.png", "*/*", .png), ("a.png", "image/png,image/jpeg", .png),
            ("a.png", "image/webp", .webp), ("a.png", everything, .avif), ("a.jpg", "*/*", .jpeg),
            ("a.gif", "*/*", .jpeg),
        ] as [(String, ByteString?, ImageFormat)])
    func `a PNG stays a PNG unless the client accepts another format`(
        name: String, accept: ByteString?, format: ImageFormat
    ) async throws {
        #expect(try await get(server(), name, accept).format == format)
    }

    @Test func `an opaque PNG of the web stays a PNG, from a store too, and by name becomes a JPEG`() async throws {
        let web = try WebServer(isStored: true)
        var reply = OriginReply.ok(SamplePhotos.png(width: 64, height: 48), type: "image/jpeg")
        reply.fields["Cache-Control"] = "max-age=100"
        web.origin.on("/images/a", reply)
        let source = ByteString(base64: ByteString(web.origin.url("/images/a").absoluteString).bytes)
        for width in [10, 20] { #expect(try await web.server.get("/_/w:\(width)/\(source)").format == .png) }
        #expect(web.origin.requestCount() == 1)
        #expect(try await web.server.get("/_/w:10/\(source).jpg").format == .jpeg)
    }

    @Test(arguments: [("a.jpg", .jpeg), ("a.png", .png), ("a.gif", .jpeg)] as [(String, ImageFormat)])
    func `without negotiation, all clients have one result`(name: String, format: ImageFormat) async throws {
        let server = try server([])
        for accept in [Self.everything, "image/webp", nil] as [ByteString?] {
            let answer = try await get(server, name, accept)
            #expect(answer.format == format && answer.fields["Vary"] == nil)
            #expect(answer.fields["Cache-Control"]?.hasPrefix("public") == true)
        }
        #expect(server.server.renditions.work.encodes == 1)
    }

    @Test(
        arguments: [
            ([.webp], everything, .webp), ([.webp], "image/avif", .jpeg),
            ([.avif], everything, .avif), ([.avif], "image/webp", .jpeg),
        ] as [(AcceptedFormats, ByteString, ImageFormat)])
    func `only the negotiated formats are sent to clients that accept them`(
        negotiated: AcceptedFormats, accept: ByteString, format: ImageFormat
    ) async throws {
        let answer = try await get(server(negotiated), "a.jpg", accept)
        #expect(answer.format == format && answer.fields["Vary"] == "Accept")
    }

    @Test(
        arguments: ["s:48:96:0:1", "s:48:96/exar:1", "w:32/pd:16"] as [ByteString],
        [(nil, .jpeg), ("image/webp", .webp), (everything, .avif)] as [(ByteString?, ImageFormat)])
    func `a canvas around an opaque image is white, so that a JPEG stays one`(
        options: ByteString, client: (accept: ByteString?, format: ImageFormat)
    ) async throws {
        let server = try server()
        try server.write(SamplePhotos.webp(width: 64, height: 48), "a.webp")
        for name in ["a.jpg", "a.webp"] {
            var fields: HTTPFields = [:]
            fields["Accept"] = client.accept
            let answer = try await server.get("/_/\(options)/plain/local:///\(name)", fields)
            let bitmap = try DecoderRegistry.standard.decode(answer.body)
            #expect(answer.format == client.format && !bitmap.hasAlpha)
            #expect(bitmap.withUnsafeBytes { $0.prefix(4).allSatisfy { $0 > 250 } })
        }
    }

    @Test(arguments: ["s:32:32:0:1", "w:32/pd:4"] as [ByteString])
    func `a canvas is clear around an image with transparency or of a PNG, and where the URL names the format`(
        options: ByteString
    ) async throws {
        let server = try server()
        try server.write(SamplePhotos.webp(width: 64, height: 48, hasAlpha: true), "clear.webp")
        for name in ["clear.webp", "a.png", "a.jpg@png"] as [ByteString] {
            let answer = try await server.get("/_/\(options)/plain/local:///\(name)")
            let bitmap = try DecoderRegistry.standard.decode(answer.body)
            #expect(answer.format == .png && bitmap.withUnsafeBytes { $0[3] == 0 })
        }
    }

    @Test func `the speed of AVIF changes the file and its tag, and those of no other format`() async throws {
        var answers: [Int: [TestServer.Answer]] = [:]
        for speed in [6, 10] {
            let server = try TestServer { $0.encoders.avifSpeed = speed }
            try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
            for format in ["avif", "webp"] {
                try await answers[speed, default: []].append(server.get("/_/w:32/plain/local:///a.jpg@\(format)"))
            }
        }
        let (slow, fast) = (try #require(answers[6]), try #require(answers[10]))
        #expect(slow[0].body != fast[0].body && slow[0].fields["ETag"] != fast[0].fields["ETag"])
        #expect(slow[1].body == fast[1].body && slow[1].fields["ETag"] == fast[1].fields["ETag"])
    }

    @Test func `a URL may name a format that is not negotiated`() async throws {
        let server = try server([])
        #expect(try await server.get("/_/w:32/plain/local:///a.jpg@avif").format == .avif)
        let moving = try await server.get("/_/w:32/plain/local:///a.gif@webp")
        #expect(try DecoderRegistry.standard.animation(for: moving.body)?.frameCount == 2)
    }

    @Test(
        arguments: [
            ("none", []), ("avif", [.avif]), ("webp", [.webp]), ("avif,webp", [.webp, .avif]),
            ("webp,avif", [.webp, .avif]), ("", nil), ("avif,", nil), ("jpeg", nil), ("none,webp", nil),
        ] as [(ByteString, AcceptedFormats?)])
    func `a list of formats is read whole or not at all`(text: ByteString, formats: AcceptedFormats?) {
        #expect(AcceptedFormats(list: text) == formats)
    }

    @Test func `explain lists the results of the clients that differ`() async throws {
        let folder = TemporaryFolder()
        for (negotiated, count) in [(AcceptedFormats([.webp, .avif]), 3), ([.avif], 2), ([], 1)] {
            let server = try TestServer {
                $0.negotiated = negotiated
                $0.store = folder.path
            }
            try server.write(SamplePhotos.jpeg(width: 64, height: 48), "a.jpg")
            _ = try await get(server, "a.jpg", nil)
            for disk in server.server.disks { try await disk.flush() }
            let lines = try await server.options.explanation(of: "/_/w:32/plain/local:///a.jpg")
            #expect(lines.count { $0.hasPrefix("stored result") } == count, "\(lines)")
            await server.close()
        }
    }
}
