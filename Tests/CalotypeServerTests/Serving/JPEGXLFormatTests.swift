#if JPEGXL
    import CalotypeBase
    import CalotypeCodecs
    import CalotypeComparison
    import CalotypeHTTP
    import CalotypeTesting
    import CalotypeURLs
    import Foundation
    import Requirements
    import TestSupport
    import Testing

    @testable import CalotypeServer

    /// JPEG XL as the format of results.
    @Suite(.requirement("V36")) struct JPEGXLFormatTests {
        private static let everything: ByteString = "image/jxl,image/avif,image/webp,*/*"

        private func server(_ change: (inout ServerSetup) throws -> Void = { _ in }) throws -> TestServer {
            let server = try TestServer(change)
            try server.write(SamplePhotos.jpeg(width: 160, height: 120), "a.jpg")
            try server.write(SamplePhotos.png(width: 160, height: 120, hasAlpha: true), "clear.png")
            try server.write(SampleAnimations.gif(width: 64, height: 48, colors: [0xFF0000, 0x00FF00]), "a.gif")
            return server
        }

        private func get(
            _ server: TestServer, _ path: ByteString, accept: ByteString? = nil
        ) async throws -> TestServer.Answer {
            var fields: HTTPFields = [:]
            fields["Accept"] = accept
            let answer = try await server.get("/_/\(path)", fields)
            #expect(answer.status == 200, "\(answer.text)")
            return answer
        }

        @Test(arguments: ["a.jpg", "clear.png"]) func `a URL may name JPEG XL`(name: String) async throws {
            let answer = try await get(server(), "w:80/plain/local:///\(name)@jxl")
            #expect(answer.format == .jpegXL && answer.fields["Content-Type"] == "image/jxl")
            let bitmap = try DecoderRegistry.standard.decode(answer.body)
            #expect(bitmap.size == PixelSize(width: 80, height: 60) && bitmap.hasAlpha == (name == "clear.png"))
        }

        @Test func `it has qualities, limits and scores as other formats`() async throws {
            let server = try server()
            func bytes(_ options: ByteString) async throws -> Int {
                try await get(server, "\(options)/plain/local:///a.jpg@jxl").body.count
            }
            let usual = try await bytes("w:80"), limit = usual * 2 / 3
            #expect(try await bytes("w:80/fq:jxl:77") == usual)
            #expect(try await bytes("w:80/fq:jpeg:20") == usual)
            #expect(try await bytes("w:80/fq:jxl:30") < usual)
            #expect(try await bytes("w:80/q:95") > usual)
            #expect(try await bytes("w:80/mb:\(limit)") <= limit)
            #expect(try await bytes("w:80/aq:ssimulacra2:50") < bytes("w:80/aq:ssimulacra2:85"))
        }

        @Test(
            arguments: [
                (["jxl", "avif", "webp"], everything, .jpegXL), (["jxl", "avif", "webp"], "image/avif", .avif),
                (["jxl"], everything, .jpegXL), (["jxl"], "image/avif,image/webp", .jpeg),
                (["avif", "webp"], everything, .avif), (["jxl", "webp"], "image/jxl;q=0,image/webp", .webp),
            ] as [([ByteString], ByteString, ImageFormat)])
        func `it goes to clients that accept it, if the operator permits it`(
            negotiated: [ByteString], accept: ByteString, format: ImageFormat
        ) async throws {
            let formats = try #require(AcceptedFormats(list: negotiated.joined(separator: ",")))
            let answer = try await get(
                server { $0.negotiated = formats }, "w:80/plain/local:///a.jpg", accept: accept)
            #expect(answer.format == format && answer.fields["Vary"] == "Accept")
        }

        @Test func `it takes the place of JPEG and PNG where the operator enforces it, and animations stay WebP`()
            async throws
        {
            let server = try server {
                $0.enforced = .jxl
                $0.negotiated = [.jxl, .webp]
            }
            for (name, format) in [("a.jpg@png", .jpegXL), ("a.jpg@webp", .webp)] as [(ByteString, ImageFormat)] {
                let answer = try await get(server, "w:80/plain/local:///\(name)", accept: Self.everything)
                #expect(answer.format == format)
            }
            let moving = try await get(server, "w:32/plain/local:///a.gif", accept: Self.everything)
            #expect(try DecoderRegistry.standard.animation(for: moving.body)?.frameCount == 2)
        }

        @Test func `an animation becomes an animated WebP, or a still image of its first frame`() async throws {
            let server = try server()
            let colors = [0xFF0000, 0x00FF00, 0x0000FF]
            try server.write(
                JPEGXLFile.animation(width: 64, height: 48, colors: colors, milliseconds: 70, loops: 2), "moving.jxl")
            let moving = try await get(server, "w:32/plain/local:///moving.jxl@webp").body
            let animation = try #require(try DecoderRegistry.standard.animation(for: moving))
            #expect(animation.size == PixelSize(width: 32, height: 24) && animation.loopCount == 2)
            #expect(animation.durations == [Duration](repeating: .milliseconds(70), count: 3))
            for (number, expected) in colors.enumerated() {
                let color = try animation.frame(at: number).withUnsafeBytes { $0.load(as: UInt32.self) }
                // The channel of the color, and no other.
                #expect((color & 0xFF_FFFF & UInt32(expected)) >= UInt32(expected) / 256 * 0xE0, "\(number)")
            }
            let still = try await get(server, "w:32/plain/local:///moving.jxl@jpg").body
            #expect(try DecoderRegistry.standard.header(of: still).format == .jpeg)
        }

        @Test func `made from the JPEG of other clients, it gives back the same bytes`() async throws {
            let server = try server { $0.encoders.recompressesJPEG = true }
            try server.write(SamplePhotos.jpeg(width: 800, height: 600), "large.jpg")
            for options in ["w:600", "w:600/q:90", "w:600/fq:jpeg:40", "w:600/jpgo:0:1"] as [ByteString] {
                let file = try await get(server, "\(options)/plain/local:///large.jpg@jxl").body
                let jpeg = try await get(server, "\(options)/plain/local:///large.jpg@jpg").body
                #expect(try DecoderRegistry.standard.transcoded(file) == jpeg)
                #expect(file.count < jpeg.count)
            }
            let clear = try await get(server, "w:80/plain/local:///clear.png@jxl")
            #expect(try DecoderRegistry.standard.decode(clear.body).hasAlpha)
        }

        @Test func `its settings change its files and their tags, and those of no other format`() async throws {
            var answers: [[TestServer.Answer]] = []
            let changes: [(inout ServerSetup) -> Void] = [
                { _ in }, { $0.encoders.jpegXLEffort = 7 }, { $0.encoders.recompressesJPEG = true },
            ]
            for change in changes {
                let server = try server(change)
                answers.append([
                    try await get(server, "w:80/plain/local:///a.jpg@jxl"),
                    try await get(server, "w:80/plain/local:///a.jpg@avif"),
                ])
            }
            #expect(Set(answers.map(\.[0].body)).count == 3 && Set(answers.map { $0[0].fields["ETag"] }).count == 3)
            #expect(Set(answers.map(\.[1].body)).count == 1 && Set(answers.map { $0[1].fields["ETag"] }).count == 1)
        }

        @Test func `its memory is reserved`() throws {
            let size = PixelSize(width: 800, height: 600)
            for recompresses in [false, true] {
                var encoding = RenditionEncoding(
                    options: try RenditionRequest(path: "/plain/a@jxl").options, accepted: nil)
                encoding.encoders.recompressesJPEG = recompresses
                #expect(encoding.peakBytes(of: size, hasAlpha: false) >= 15 * size.bitmapMemory)
            }
        }
    }
#endif
