#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Testing
    import Foundation

    @Suite struct SVGTextTests {
        private static let here = DecoderRegistry.standard.isolated(by: .off)

        private static let sizes = [7, 12, 40]
        private static let styles = [
            "", "font-weight='bold'", "font-style='italic'", "font-weight='bold' font-style='italic'",
            "font-style='oblique'", "font-weight='300'", "font-weight='900'", "font-stretch='condensed'",
            "font-variant='small-caps'",
        ]
        private static let families = [
            "", "sans-serif", "serif", "monospace", "Arial", "Courier New", "Times New Roman", "No such font",
        ]

        private struct Text: CustomStringConvertible {
            let size: Int
            let style: String
            let family: String

            var description: String { "\(size) px \(family) \(style)" }

            var file: Data {
                let font = family.isEmpty ? style : "font-family='\(family)' \(style)"
                return Data(
                    "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><text x='4' y='50' font-size='\(size)' \(font)>Aé</text></svg>"
                        .utf8)
            }
        }

        /// Each size in each style of each family, the sizes in turn: cairo reads a font's file for each new size.
        private static let texts = sizes.flatMap { size in
            styles.flatMap { style in families.map { Text(size: size, style: style, family: $0) } }
        }

        /// Two machines: one with the nine fonts that a worker loads, and one with more, which its rules prefer.
        @Test(arguments: [FontFolder.nine.configuration, FontFolder.many.configuration])
        func `a worker draws text as if the fonts that it loads were the only ones`(configuration: String) throws {
            let workers = DecoderWorkers(limit: 1, variables: ["FONTCONFIG_FILE": configuration])
            let apart = DecoderRegistry.standard.isolated(in: workers)
            var blank: [String] = []
            var different: [String] = []
            for text in Self.texts {
                let (one, other) = try (apart.decode(text.file), Self.here.decode(text.file))
                let hasInk = { (bitmap: Bitmap) in bitmap.withUnsafeBytes { $0.contains(255) } }
                if !hasInk(one) || !hasInk(other) { blank.append("\(text)") }
                let isSame = one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
                if !isSame { different.append("\(text)") }
            }
            #expect(blank == [] && different == [])
        }

        /// pango selects fonts in threads, which do not stay.
        @Test func `a drawing with 200 fonts has no more threads than a worker may have`() throws {
            let workers = DecoderWorkers(limit: 1, variables: [:])
            let letters = (0..<200).map { "<text y='\($0)' font-size='\(5 + $0)' font-family='f\($0), serif'>A</text>" }
            let file = Data(
                "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='200'>\(letters.joined())</svg>".utf8)
            for _ in 0..<3 { _ = try DecoderRegistry.standard.isolated(in: workers).decode(file) }
            #expect(workers.counters.ended == [:])
        }

        @Test func `families and styles have fonts of their own`() throws {
            let drawn = try ["sans-serif", "serif", "monospace"].flatMap { family in
                try Self.styles.prefix(4).map { style in
                    let bitmap = try Text(size: 40, style: style, family: family).file.decoded()
                    return bitmap.withUnsafeBytes { Array($0) }
                }
            }
            #expect(Set(drawn).count == 12)
        }
    }
#endif
