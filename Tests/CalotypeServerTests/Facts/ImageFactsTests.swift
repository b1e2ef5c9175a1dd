import CalotypeBase
import CalotypeCodecs
import CalotypeTesting
@testable import CalotypeURLs
import Foundation
import Testing
import TestSupport

@testable import CalotypeServer

/// The facts about an image, and their text.
struct ImageFactsTests {
    private static let jpeg = SamplePhotos.jpeg(width: 640, height: 480)

    /// Returns the text of the facts that options of URLs name, without those that are on by default.
    private func text(_ options: ByteString, of file: Data = jpeg) throws -> String {
        let options = try InfoOptions().adding("s:0/f:0/d:0/exif:0/\(options)")
        var facts = try ImageFacts(of: file, options, by: .standard)
        if options.needsPixels {
            let small = try DecoderRegistry.standard.decode(file, target: ColorFacts.layout)
            facts.colors = try ColorFacts(of: small, options)
        }
        return String(decoding: facts.json, as: UTF8.self)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    @Test func `the default facts have imgproxy's names, in a fixed order`() throws {
        let facts = try ImageFacts(of: Self.jpeg, InfoOptions(), by: .standard)
        #expect(
            String(decoding: facts.json, as: UTF8.self)
                == #"{"size":\#(Self.jpeg.count),"format":"jpeg","width":640,"height":480,"orientation":1,"exif":{}}"#)
    }

    @Test func `facts of the header have their values`() throws {
        #expect(
            try text("pn:1/a:1/du:1/bi:1/cod:1/prof:1/hdr:1/c2pa:1/dmg:1") == """
                {"pages_number":1,"alpha":false,"duration":0,"bits":8,"codec":"baseline","progressive":false,\
                "profile":null,"hdr":[],"c2pa":false,"damaged":false}
                """)
        #expect(try text("") == "{}")
    }

    @Test func `width and height are those that people see`() throws {
        let turned = SampleEXIF.jpeg(Self.jpeg, with: SampleEXIF.block(artist: nil, copyright: nil, orientation: 6))
        #expect(try text("d:1", of: turned) == #"{"width":480,"height":640,"orientation":6}"#)
    }

    @Test func `frames and their duration are counted`() throws {
        let gif = SampleAnimations.gif(width: 9, height: 7, colors: [0xFF0000, 0xFF00, 0xFF, 0xFFFFFF, 0x101010])
        let found = try object(try text("f:1/pn:1/du:1", of: gif))
        let header = try DecoderRegistry.standard.header(of: gif)
        #expect(found["format"] as? String == "gif" && found["pages_number"] as? Int == 5)
        #expect(found["duration"] as? Double == header.duration / .seconds(1))
    }

    @Test func `transparency is told by the header`() throws {
        #expect(try text("a:1", of: SamplePhotos.png(width: 8, height: 8, hasAlpha: true)) == #"{"alpha":true}"#)
    }

    @Test func `camera, date and credits are those of the file`() throws {
        let file = SampleEXIF.jpeg(Self.jpeg, with: SampleEXIF.camera())
        #expect(
            try text("exif:1", of: file) == """
                {"exif":{"camera":"Canon EOS R5","date":"2026-05-01T12:30:00+02:00","artist":"Ann Lee",\
                "copyright":"(c) 2026 Ann Lee"}}
                """)
    }

    @Test func `the place is told only if it is asked for`() throws {
        let block = SampleEXIF.place(
            latitude: [(48, 1), (51, 1), (2988, 100)], longitude: [(2, 1), (17, 1), (402, 10)])
        let file = SampleEXIF.jpeg(Self.jpeg, with: block)
        #expect(try text("gps:1", of: file) == #"{"place":{"latitude":48.8583,"longitude":2.2945}}"#)
        #expect(try text("gps:1") == #"{"place":null}"#)
        let others = try text("exif:1/pn:1/a:1/du:1/bi:1/cod:1/prof:1/hdr:1/c2pa:1/dmg:1", of: file)
        #expect(!others.contains("48.8") && !others.contains("place"))
    }

    @Test func `credentials, gain maps and damage are told`() throws {
        #expect(try text("c2pa:1", of: SampleCredentials.jpeg(Self.jpeg)) == #"{"c2pa":true}"#)
        #expect(try text("dmg:1", of: Self.jpeg.dropLast(2)) == #"{"damaged":true}"#)
        let gain = Self.jpeg.prefix(2) + [0xFF, 0xE2, 0, 30] + Data("urn:iso:std:iso:ts:21496:-1\0".utf8)
        #expect(try text("hdr:1", of: gain + Self.jpeg.dropFirst(2)) == #"{"hdr":["gain_map"]}"#)
    }

    @Test func `colors and hashes are those of a small copy`() throws {
        let red = try Bitmap(width: 40, height: 20, hasAlpha: false) { pixels, _ in
            for place in pixels.indices { pixels[place] = place % 4 >= 2 ? 255 : 0 }
        }
        let png = try red.encoded(as: .png)
        #expect(
            try text("p:4/avg:1/dc:1", of: png) == """
                {"palette":[{"R":255,"G":0,"B":0,"A":255}],"average":{"R":255,"G":0,"B":0,"A":255},\
                "dominant_colors":{"vibrant":{"R":255,"G":0,"B":0}}}
                """)
        let small = try DecoderRegistry.standard.decode(Self.jpeg, target: ColorFacts.layout)
        let found = try object(try text("bh:4:3/th:1"))
        #expect(found["blurhash"] as? String == (try BlurHash(small, across: 4, down: 3).description))
        let hash = try #require(found["thumb_hash"] as? String)
        let bytes = stride(from: 0, to: hash.count, by: 2).compactMap { UInt8(hash.dropFirst($0).prefix(2), radix: 16) }
        #expect(ThumbHash(Data(bytes)) == (try ThumbHash(small)) && hash == hash.uppercased())
    }

    @Test func `an image without a visible pixel has facts, too`() throws {
        let clear = try Bitmap(width: 4, height: 4, hasAlpha: true) { pixels, _ in
            for place in pixels.indices { pixels[place] = 0 }
        }
        let found = try object(try text("p:4/avg:1/dc:1:1/bh:1:1/th:1", of: clear.encoded(as: .png)))
        #expect(
            (found["palette"] as? [Any])?.isEmpty == true
                && (found["dominant_colors"] as? [String: Any])?.isEmpty == true)
        #expect(found["average"] as? [String: Int] == ["R": 0, "G": 0, "B": 0, "A": 0])
    }

    @Test func `digests are those of the file, in a fixed order`() throws {
        let found = try text("chs:sha512:md5:sha1:sha256")
        let digests = try #require(try object(found)["hashsums"] as? [String: String])
        for kind in SourceDigest.allCases { #expect(digests[kind.rawValue] == kind.hexadecimal(of: Self.jpeg)?.string) }
        let places = SourceDigest.allCases.compactMap { found.range(of: "\"\($0.rawValue)\"")?.lowerBound }
        #expect(places == places.sorted() && places.count == 4)
    }

    @Test(
        arguments: [
            "\"quoted\" and \\ back", "line\nfeed\r\ttab\u{1}\u{7F}", "mark \u{202E}txt", "</script>",
            "ünï\u{301}cödé 🦊",
            String(repeating: "a", count: 4000), "\u{2028}\u{2029}",
        ])
    func `texts of strangers stay texts`(text artist: String) throws {
        let file = SampleEXIF.jpeg(Self.jpeg, with: SampleEXIF.block(artist: artist, copyright: "{}"))
        let found = try text("exif:1", of: file)
        let exif = try #require(try object(found)["exif"] as? [String: String])
        #expect(exif["artist"] == artist.trimmingCharacters(in: .whitespacesAndNewlines) || exif["artist"] == artist)
        #expect(found.unicodeScalars.allSatisfy { !$0.isHidden })
    }

    @Test func `texts that are no UTF-8, or too long, are no harm`() throws {
        var block = SampleEXIF.block(artist: "AAAA BBBB", copyright: nil)
        let place = try #require(block.range(of: Data("AAAA".utf8)))
        block.replaceSubrange(place, with: [0xFF, 0xC3, 0x28, 0x80])
        _ = try object(try text("exif:1", of: SampleEXIF.jpeg(Self.jpeg, with: block)))
        // A TIFF block may be larger than a segment: as a chunk of a PNG.
        let long = SampleEXIF.block(artist: String(repeating: "x", count: 1 << 20), copyright: "short")
        let png = SamplePhotos.png(width: 8, height: 8)
        let length = Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: long.count >> $0) })
        let chunk = length + Data("eXIf".utf8) + long + Data(count: 4)
        let found = try text("exif:1", of: png.prefix(33) + chunk + png.dropFirst(33))
        #expect(found == #"{"exif":{"copyright":"short"}}"#)
    }

    @Test func `a file that ends anywhere has facts or an error`() throws {
        let file = SampleCredentials.jpeg(SampleEXIF.jpeg(Self.jpeg, with: SampleEXIF.camera()))
        let options = InfoOptions.ofHeader
        for count in stride(from: 0, to: 4000, by: 7) {
            guard let facts = try? ImageFacts(of: file.prefix(count), options, by: .standard) else { continue }
            _ = try object(String(decoding: facts.json, as: UTF8.self))
        }
        for file in [
            SampleCredentials.png(SamplePhotos.png(width: 9, height: 9)), SamplePhotos.webp(width: 9, height: 9),
        ] {
            for count in 0..<file.count {
                guard let facts = try? ImageFacts(of: file.prefix(count), options, by: .standard) else { continue }
                _ = try object(String(decoding: facts.json, as: UTF8.self))
            }
        }
    }

    @Test func `numbers that JSON lacks are null`() {
        var writer = FactsWriter()
        for number in [Double.nan, .infinity, -.infinity, 1.5, -2, 0] { writer.add("n", number) }
        let text = String(decoding: writer.finished(), as: UTF8.self)
        #expect(text == #"{"n":null,"n":null,"n":null,"n":1.5,"n":-2,"n":0}"#)
    }
}
