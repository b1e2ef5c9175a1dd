#if HEIF && JPEGXL && SVG && TIFF
    import CRsvg
    import CalotypeCodecs
    import Foundation
    import TestSupport
    import Testing

    @Suite struct SVGTests {
        private static func svg(_ body: String, size: String = "width='100' height='100'") -> Data {
            Data(
                "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(size)>\(body)</svg>"
                    .utf8)
        }

        @Test func `it is drawn at the size asked for, sharp at any`() throws {
            let file = Self.svg("<rect width='5' height='10' fill='#f00'/>", size: "width='10' height='10'")
            let large = try file.decoded(ResizeTarget(width: 400))
            #expect(large.size == PixelSize(width: 400, height: 400))
            #expect(large.pixel(199, 200) == (255, 0, 0, 255) && large.pixel(200, 200) == (0, 0, 0, 0))
            #expect(try file.decoded().size == PixelSize(width: 10, height: 10))
        }

        @Test(arguments: [
            ("width='40' height='20'", 40, 20), ("viewBox='0 0 30 60'", 30, 60),
            ("width='1in' viewBox='0 0 4 2'", 96, 48),
            ("", 300, 150), ("width='2em' height='3ex'", 32, 24), ("width='100%' viewBox='0 0 8 4'", 8, 4),
        ])
        func `its own size is that of browsers`(size: String, width: Int, height: Int) throws {
            let header = try DecoderRegistry.standard.header(of: Self.svg("", size: size))
            #expect(header.uprightSize == PixelSize(width: width, height: height) && header.format == .svg)
        }

        @Test func `nothing is loaded from outside`() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-svg-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let red = folder.appending(path: "red.png")
            try Drawings.plain(9, 9, (255, 0, 0, 255)).encoded(as: .png).write(to: red)
            for address in [red.path, red.absoluteString, "http://127.0.0.1:9/a.png"] {
                let file = Self.svg("<image xlink:href='\(address)' width='100' height='100'/>")
                #expect(try file.decoded().pixel(50, 50) == (0, 0, 0, 0))
            }
        }

        @Test func `fonts that do not exist change nothing but letters`() throws {
            let file = Self.svg(
                "<rect width='100' height='100' fill='#00f'/><text font-family='No such font' y='50'>a</text>")
            #expect(try file.decoded().pixel(99, 99) == (0, 0, 255, 255))
        }

        @Test(arguments: [
            "<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]><svg>&b;</svg>",
            "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg><text>&a;</text></svg>",
            "<!DOCTYPE svg [<!ENTITY % a SYSTEM 'file:///etc/passwd'> %a;]><svg/>",
            "<?xml version='1.0' encoding='UTF-7'?><svg/>", "<?xml-stylesheet href='data:text/css,a'?><svg/>",
            "<svg xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='/etc/passwd' parse='text'/></svg>",
            "<svg><style>@import url('data:text/css,rect{filter:blur(9px)}');</style></svg>",
            "<svg><image href='data:image/svg+xml,%3Csvg/%3E'/></svg>",
        ])
        func `entities and includes bring in nothing from outside`(text: String) throws {
            do throws(CodecError) {
                let bitmap = try Data(text.utf8).decoded(ResizeTarget(width: 60))
                #expect(bitmap.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }, "something was drawn")
            } catch {
                #expect([.damaged, .unsupported].contains(error.code), "\(error)")
            }
        }

        @Test func `entities for addresses of namespaces, as editors write them, are harmless`() throws {
            let file = Data(
                """
                <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">]>
                <svg xmlns="&ns;" width="10" height="10"><rect width="10" height="10" fill="#0f0"/></svg>
                """.utf8)
            #expect(try file.decoded().pixel(5, 5) == (0, 255, 0, 255))
        }

        @Test(arguments: SlowDrawings.all.map(\.name).filter { !SlowDrawings.quickest.contains($0) })
        func `a drawing that takes too long ends at the deadline`(name: String) throws {
            let body = try #require(SlowDrawings.all.first { $0.name == name }).body
            let file = Self.svg(body, size: "viewBox='0 0 1000 1000'")
            let workers = DecoderWorkers(limit: 1, deadline: .milliseconds(200))
            let error = try #require(
                #expect(throws: CodecError.self) {
                    try DecoderRegistry.standard.isolated(in: workers).decode(file, target: ResizeTarget(width: 1000))
                })
            if error.code == .tooLarge, SlowDrawings.largest.contains(name) {
                #expect(error.message == "no memory to draw this SVG")
            } else {
                #expect(error.code == .decoderFailed)
                #expect(error.message == "the decoder took longer than 0.2 s")
            }
        }

        @Test(.disabled(if: Sanitizers.areOn, "under a sanitizer workers have no limit of memory"))
        func `a drawing without enough memory is too large, not damaged`() throws {
            let layers = String(repeating: "<g opacity='.9'><rect width='9' height='9'/>", count: 190)
            let file = Self.svg(layers + String(repeating: "</g>", count: 190), size: "viewBox='0 0 1000 1000'")
            let workers = DecoderWorkers(limit: 1)
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.isolated(in: workers).decode(file, target: ResizeTarget(width: 1000))
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.message == "no memory to draw this SVG")
        }

        @Test func `drawings as people make them are drawn`() throws {
            let circles = (0..<2000).map {
                "<circle cx='\($0 % 100 * 10)' cy='\($0 / 100 * 50)' r='6' fill='#08f' stroke='#000'/>"
            }
            let coast = (0..<5000).map { "\(500 + 0.08 * Double($0 % 50 + $0)),\($0 / 5)" }.joined(separator: " ")
            let blurred =
                "<filter id='f'><feGaussianBlur stdDeviation='4'/></filter><g filter='url(#f)'><path d='M9 9h90v90z'/></g>"
            let gradient =
                "<linearGradient id='g'><stop stop-color='red'/></linearGradient><rect width='9' height='9' fill='url(#g)'/>"
            let uses =
                "<g id='a'><path d='M0 0L5 5 3 9z'/></g>"
                + (0..<300).map { "<use xlink:href='#a' x='\($0)'/>" }.joined()
            let styled =
                "<style>.a{opacity:.5}.b{fill:none;stroke:#000;stroke-dasharray:4 2}</style>"
                + "<rect class='a' width='99' height='99'/><path class='b' d='M0 0C100 900 900 100 900 900'/>"
            let text = "<text y='99' font-size='20'>The quick brown fox jumps over the lazy dog</text>"
            let bodies = [
                circles.joined(), "<polyline fill='none' stroke='#000' points='\(coast)'/>", blurred, gradient, uses,
                styled, text,
            ]
            for body in bodies {
                let file = Self.svg(body, size: "viewBox='0 0 1000 1000'")
                #expect(
                    try file.decoded(ResizeTarget(width: 1000)).size == PixelSize(width: 1000, height: 1000),
                    "\(body.prefix(60))")
            }
        }

        @Test func `an image inside counts with its pixels`() throws {
            let small = try Drawings.plain(8, 8, (255, 0, 0, 255)).encoded(as: .png).base64EncodedString()
            let file = Self.svg("<image href='data:image/png;base64,\(small)' width='100' height='100'/>")
            #expect(try file.decoded().pixel(50, 50) == (255, 0, 0, 255))
        }

        @Test func `an image inside that takes too much memory fails the drawing`() throws {
            var bomb = try Drawings.plain(8, 8, (255, 0, 0, 255)).encoded(as: .png)
            bomb.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
            bomb.replaceSubrange(29..<33, with: [0x6C, 0xEE, 0x4D, 0x2D])
            let file = Self.svg("<image href='data:image/png;base64,\(bomb.base64EncodedString())'/>")
            do throws(CodecError) {
                #expect(try file.decoded().withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
            } catch {
                #expect([.tooLarge, .damaged, .decoderFailed].contains(error.code), "\(error)")
            }
        }

        @Test func `bytes that are flipped end in pixels or a typed error`() throws {
            let file = Self.svg(
                "<defs><pattern id='p' width='9' height='9' patternUnits='userSpaceOnUse'><circle r='3'/></pattern></defs>"
                    + "<rect width='50' height='50' fill='url(#p)'/><path d='M0 0l9 9Z' transform='scale(2)'/>")
            var state: UInt32 = 7
            for _ in 0..<300 {
                var broken = file
                for _ in 0..<2 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    broken[Int(state >> 8) % broken.count] = UInt8(state >> 24 & 0x7F)
                }
                do {
                    _ = try Damage.decoders.decode(broken, target: ResizeTarget(width: 40))
                } catch {
                    #expect([.notAnImage, .damaged, .tooLarge, .unsupported].contains(error.code), "\(error)")
                }
            }
        }

        @Test func `the size asked for has limits too`() throws {
            let error = #expect(throws: CodecError.self) {
                try Self.svg("").decoded(ResizeTarget(width: 60_000, height: 60_000))
            }
            #expect(error?.code == .tooLarge)
        }
    }

    /// Small files that take librsvg 2.54 between a tenth of a second and minutes at 1000 × 1000 pixels.
    enum SlowDrawings {
        /// Those that take less than a second, at least on some machines.
        static let quickest = Set(
            ["blurs of a style", "convolution", "points far apart by next to nothing", "relative lines", "letters"]
                + (rsvg_minor_version < 60 ? [] : ["crossing lines in a corner"]))

        /// Those for which a fast machine reaches the worker's limit on memory before the deadline.
        static let largest: Set = ["layers", "masks", "dashes", "inherited dashes"]

        static let all: [(name: String, body: String)] = [
            ("nested use", nestedUse(18)), ("nested use of layers", nestedUse(9, " opacity='.9'")),
            ("turbulence", filter(String(repeating: "<feTurbulence baseFrequency='.05' numOctaves='9'/>", count: 50))),
            ("octaves", filter("<feTurbulence numOctaves='100'/>")),
            ("morphology", filter("<feMorphology radius='20'/>")),
            ("convolution", filter("<feConvolveMatrix order='40' kernelMatrix='1'/>")),
            ("displacement", filter(String(repeating: "<feDisplacementMap in2='SourceGraphic' scale='9'/>", count: 3))),
            (
                "blurs of a style",
                "<style>rect{filter:blur(9px) blur(9px)}</style>" + String(repeating: "<rect/>", count: 9)
            ),
            (
                "layers",
                String(repeating: "<g opacity='.9'><rect width='1000' height='1000'/>", count: 190)
                    + String(repeating: "</g>", count: 190)
                    + String(repeating: "<rect opacity='.5' width='9' height='9'/>", count: 100)
            ),
            (
                "masks",
                "<mask id='m'><rect width='1000' height='1000'/></mask>"
                    + String(repeating: "<rect width='1000' height='1000' mask='url(#m)'/>", count: 200)
            ),
            ("crossing lines", "<path d='M0 0 " + zigzag(5000) + "'/>"),
            ("crossing lines in a corner", "<path d='M0 0 " + zigzag(5000, 10) + " M900 900 L1000 1000'/>"),
            ("relative lines", "<path d='M0 0" + String(repeating: "l999 1-998 2", count: 3000) + "'/>"),
            ("dashes", "<path stroke='#000' stroke-dasharray='.3' d='M0 0 " + zigzag(400) + "'/>"),
            ("inherited dashes", "<g stroke='#000' stroke-dasharray='.3'><path d='M0 0 " + zigzag(400) + "'/></g>"),
            (
                "markers",
                "<marker id='m'><circle r='3'/></marker><path marker-mid='url(#m)' d='M0 0 " + zigzag(30_000, 20)
                    + "'/>"
            ),
            ("letters", "<text>" + String(repeating: "abcdefghij", count: 1000) + "</text>"),
            ("large shapes", String(repeating: "<rect width='1000' height='1000' fill-opacity='.5'/>", count: 2000)),
            (
                "escaped letters in a path",
                "<path d='M0 0 " + zigzag(5000).replacingOccurrences(of: "L", with: "&#76;") + "'/>"
            ),
            ("patterns in patterns", nestedPatterns(12)),
            ("a chain of use", (1...30_000).map { "<g id='a\($0)'><use href='#a\($0 - 1)'/></g>" }.reversed().joined()),
            (
                "points far apart by next to nothing",
                "<path d='" + String(repeating: "M1e-320 0L1e9 1e-320", count: 4000) + "'/>"
            ),
            (
                "gradients over everything",
                "<radialGradient id='g'><stop stop-color='red'/></radialGradient>"
                    + String(repeating: "<circle cx='500' cy='500' r='400' fill='url(#g)'/>", count: 400)
            ),
            (
                "many rules for many elements",
                "<style>" + (0..<6000).map { "g g .a\($0){fill:red}" }.joined() + "</style>"
                    + String(repeating: "<rect width='5' height='5'/>", count: 6000)
            ),
        ]

        private static func nestedUse(_ depth: Int, _ attributes: String = "") -> String {
            (1...depth).reduce("<defs><g id='a0'><rect width='10' height='10'/></g>") { text, level in
                let use = "<use xlink:href='#a\(level - 1)'\(attributes)/>"
                return text + "<g id='a\(level)'>\(use)\(use)</g>"
            } + "</defs><use xlink:href='#a\(depth)'/>"
        }

        private static func nestedPatterns(_ depth: Int) -> String {
            (1...depth).reduce("<pattern id='p0' width='.1' height='.1'><rect width='9' height='9'/></pattern>") {
                text, level in
                let rect = "<rect width='99' height='99' fill='url(#p\(level - 1))'/>"
                return text + "<pattern id='p\(level)' width='.5' height='.5'>\(rect)\(rect)\(rect)</pattern>"
            } + "<rect width='1000' height='1000' fill='url(#p\(depth))'/>"
        }

        private static func filter(_ primitives: String) -> String {
            "<filter id='f' x='0' y='0' width='1' height='1'>\(primitives)</filter><rect width='1000' height='1000' filter='url(#f)'/>"
        }

        private static func zigzag(_ count: Int, _ side: Int = 1000) -> String {
            var state: UInt32 = 1
            return (0..<count).map { index in
                state = state &* 1_664_525 &+ 1_013_904_223
                return "L\(Int(state >> 8) % side) \(index % 2 * side)"
            }.joined(separator: " ")
        }
    }
#endif
