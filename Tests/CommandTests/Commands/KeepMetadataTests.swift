import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing

/// `--keep-metadata` of `resize` and `fetch`, and the facts that `info` prints.
struct KeepMetadataTests {
    private let calotype: Calotype

    init() throws {
        calotype = try Calotype()
        try calotype.write(SampleEXIF.jpeg(Pictures.jpeg(), with: SampleEXIF.camera()), to: "photo.jpg")
    }

    #if JPEGXL
        private static let suffixes = ["jpg", "png", "webp", "avif", "jxl"]
    #else
        private static let suffixes = ["jpg", "png", "webp", "avif"]
    #endif

    @Test(arguments: suffixes)
    func `results keep the author and the copyright unless something else is asked for`(_ suffix: String) async throws {
        for (words, credits, camera) in [
            ([], true, false), (["--keep-metadata", "copyright"], true, false),
            (["--keep-metadata", "none"], false, false), (["--keep-metadata", "all"], true, true),
        ] {
            let line = ["resize", "photo.jpg", "out.\(suffix)", "--size", "40", "--overwrite"] + words
            let ending = try await calotype.start(line).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            let file = try calotype.contents("out.\(suffix)")
            let facts = PhotoFacts(of: file)
            #expect(facts.copyright == (credits ? "(c) 2026 Ann Lee" : nil), "\(words)")
            #expect(facts.artist == (credits ? "Ann Lee" : nil))
            #expect(facts.camera == (camera ? "Canon EOS R5" : nil))
            #expect(facts.date == (camera ? "2026-05-01T12:30:00+02:00" : nil))
            #expect((file.range(of: SampleEXIF.Mark.place) != nil) == camera)
            #expect(file.range(of: SampleEXIF.Mark.thumbnail) == nil)
            // 120 × 80 pixels, turned by 90°.
            #expect(try Pictures.header(file).orientation == 1)
            #expect(try Pictures.size(file) == PixelSize(40, 60))
        }
    }

    @Test func `a search for the quality and an animation keep it, too`() async throws {
        let search = try await calotype(
            "resize", "photo.jpg", "out.avif", "--keep-metadata", "all", "--quality-target", "ssim=0.9")
        #expect(search.status == 0, "\(search.errors)")
        #expect(PhotoFacts(of: try calotype.contents("out.avif")).camera == "Canon EOS R5")
        let writer = try AnimatedWebPWriter(size: PixelSize(32, 32), loopCount: nil)
        for seed in 1...2 {
            try writer.add(SamplePhotos.bitmap(width: 32, height: 32, seed: seed), duration: .seconds(1))
        }
        let credits = try #require(ImageCredits(artist: Array("Ann".utf8), copyright: []))
        try calotype.write(EXIFBlock(credits).embedded(in: writer.finish(), .webp), to: "dance.webp")
        #expect(try await calotype("resize", "dance.webp", "small.webp", "--size", "16").status == 0)
        let small = try calotype.contents("small.webp")
        #expect(PhotoFacts(of: small).artist == "Ann")
        #expect(try Pictures.header(small).frameCount == 2)
    }

    @Test func `fetch keeps the bytes without a reason to change them, and keep-metadata is one`() async throws {
        let origin = try OriginServer()
        let photo = try calotype.contents("photo.jpg")
        origin.on("/photo.jpg", .ok(photo))
        let url = origin.url("/photo.jpg").absoluteString
        for words in [[], ["--keep-metadata", "all"]] {
            #expect(
                try await calotype.start(["fetch", url, "--overwrite", "-o", "out.jpg"] + words).ending().status == 0)
            #expect(try calotype.contents("out.jpg") == photo)
        }
        for (kept, artist) in [("none", nil), ("copyright", "Ann Lee")] {
            let line = ["fetch", url, "--overwrite", "-o", "out.jpg", "--keep-metadata", kept]
            #expect(try await calotype.start(line).ending().status == 0)
            let file = try calotype.contents("out.jpg")
            #expect(file.range(of: SampleEXIF.Mark.place) == nil)
            #expect(PhotoFacts(of: file).artist == artist && PhotoFacts(of: file).camera == nil)
        }
        let sized = try await calotype("fetch", url, "--size", "20", "--overwrite", "-o", "out.jpg")
        #expect(sized.status == 0)
        #expect(PhotoFacts(of: try calotype.contents("out.jpg")).copyright == "(c) 2026 Ann Lee")
    }

    @Test func `another choice of metadata makes outputs again`() async throws {
        func made(_ kept: String) async throws -> Bool {
            let line = ["resize", "photo.jpg", "-o", "out", "--if-changed", "--json", "--keep-metadata", kept]
            return try await calotype.start(line).ending().lines[0].contains("\"skipped\":false")
        }
        #expect(try await made("all"))
        #expect(try await !made("all"))
        #expect(try await made("none"))
    }

    @Test func `info prints the date, the camera and the credits`() async throws {
        let text = try await calotype("info", "photo.jpg")
        #expect(
            text.lines[0].hasSuffix(
                ", 2026-05-01 12:30:00+02:00, Canon EOS R5, by Ann Lee, copyright: (c) 2026 Ann Lee"), "\(text.lines)")
        let json = try await calotype("info", "--json", "photo.jpg")
        let all = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
        let facts = try #require(all["exif"] as? [String: Any])
        #expect(facts["date"] as? String == "2026-05-01T12:30:00+02:00")
        #expect(facts["camera"] as? String == "Canon EOS R5" && facts["artist"] as? String == "Ann Lee")
        #expect(facts["copyright"] as? String == "(c) 2026 Ann Lee")
    }

    @Test func `a wrong choice is a usage error`() async throws {
        let ending = try await calotype("resize", "photo.jpg", "out.jpg", "--keep-metadata", "gps")
        #expect(ending.status == 2)
        #expect(ending.errors.contains("expected one of none, copyright, all"))
    }

    @Test(.enabled("Pillow is installed") { Pillow.isInstalled }, arguments: ["jpg", "png", "webp"])
    func `Pillow reads the same values in the results`(_ suffix: String) async throws {
        let ending = try await calotype(
            "resize", "photo.jpg", "out.\(suffix)", "--size", "40", "--keep-metadata", "all")
        #expect(ending.status == 0, "\(ending.errors)")
        let values = try await Pillow.values(of: "out.\(suffix)", in: calotype)
        #expect(
            values == [
                "256=40", "257=60", "270=A lake", "271=Canon", "272=Canon EOS R5", "274=1", "306=2026:06:02 08:00:00",
                "315=Ann Lee", "33432=(c) 2026 Ann Lee", "photo 36867=2026:05:01 12:30:00", "photo 36881=+02:00",
                "photo 40961=1", "photo 40962=40", "photo 40963=60", "photo 42036=RF24-70mm F2.8", "place 1=N",
                "place 27=b'PLACE OF THE PHOTO'",
            ])
    }
}

/// Python's imaging library, which reads EXIF independently.
private enum Pillow {
    private static let python = "/usr/bin/python3"

    static let isInstalled = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/PIL")

    static func values(of file: String, in calotype: Calotype) async throws -> [String] {
        let script = """
            import sys
            from PIL import Image
            exif = Image.open(sys.argv[1]).getexif()
            for name, values in ("", exif), ("photo ", exif.get_ifd(0x8769)), ("place ", exif.get_ifd(0x8825)):
                for tag, value in sorted(values.items()):
                    if tag not in (0x8769, 0x8825): print(f"{name}{tag}={value}")
            """
        return try await Child(
            ["-c", script, file], in: calotype, input: Data(), environment: [:], program: python
        ).ending().lines
    }
}
