import CalotypeCodecs
import Foundation
import Testing

/// Raw files of cameras, with the few parts that tell them from other images.
@Suite struct CameraRawTests {
    /// A TIFF of 4 × 3 white pixels.
    private struct Preview {
        var isBigEndian = false
        var head = Data()
        var maker = "NIKON CORPORATION"
        /// The meaning of the samples: 1 for gray, 32803 for those of a sensor.
        var meaning = 1
        /// Further entries of the first directory, each a tag of four bytes.
        var entries: [(tag: Int, value: Int)] = []
        /// The sizes of the images in directories below the first one, and the meaning of their samples.
        var parts: [(width: Int, height: Int, meaning: Int)] = []
        /// Whether the parts are images of reduced size.
        var areReduced = false

        private func bytes(_ value: Int, _ count: Int) -> Data {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return Data(isBigEndian ? little.reversed() : little)
        }

        private func directory(_ entries: [(tag: Int, type: Int, count: Int, value: Int)]) -> Data {
            entries.reduce(bytes(entries.count, 2)) { data, entry in
                let value = entry.type == 3 ? bytes(entry.value, 2) + Data(count: 2) : bytes(entry.value, 4)
                return data + bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4) + value
            } + Data(count: 4)
        }

        var file: Data {
            var file = (isBigEndian ? Data("MM\0*".utf8) : Data("II*\0".utf8)) + Data(count: 4) + head
            let pixels = file.count
            file += Data(repeating: 255, count: 12)
            let places = parts.map { part in
                defer {
                    file += directory([
                        (254, 4, 1, areReduced ? 1 : 0), (256, 4, 1, part.width), (257, 4, 1, part.height),
                        (262, 3, 1, part.meaning),
                    ])
                }
                return file.count
            }
            let list = file.count
            for place in places { file += bytes(place, 4) }
            let name = file.count
            file += Data(maker.utf8) + [0]
            if file.count % 2 == 1 { file += [0] }
            file.replaceSubrange(4..<8, with: bytes(file.count, 4))
            var all: [(tag: Int, type: Int, count: Int, value: Int)] = [
                (256, 4, 1, 4), (257, 4, 1, 3), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, meaning),
            ]
            all += [(271, 2, maker.utf8.count + 1, name), (273, 4, 1, pixels), (277, 3, 1, 1), (278, 4, 1, 3)]
            all += [(279, 4, 1, 12)]
            if places.count == 1 { all.append((330, 4, 1, places[0])) }
            if places.count > 1 { all.append((330, 4, places.count, list)) }
            for entry in entries { all.append((entry.tag, 1, 4, entry.value)) }
            return file + directory(all)
        }
    }

    static let raws: [(name: String, maker: String, file: Data)] = [
        ("NEF", "NIKON CORPORATION", Preview(isBigEndian: true, parts: [(0, 0, 6), (2012, 1324, 32803)]).file),
        ("its part alone larger", "NIKON CORPORATION", Preview(parts: [(2, 2, 1), (5, 3, 1)]).file),
        ("ARW", "SONY", Preview(maker: "SONY", parts: [(6048, 4024, 32803)]).file),
        ("PEF", "PENTAX", Preview(isBigEndian: true, maker: "PENTAX ", meaning: 32803).file),
        ("DNG", "Apple", Preview(maker: "Apple", entries: [(50706, 0x0401)]).file),
        ("DNG of linear samples", "Apple", Preview(maker: "Apple", parts: [(3, 2, 34892)]).file),
        ("CR2", "Canon", Preview(head: Data("CR".utf8) + [2, 0, 0, 0, 0, 0], maker: "Canon").file),
        ("CR3", "Canon", Data([0, 0, 0, 24]) + Data("ftypcrx ".utf8) + Data([0, 0, 0, 1]) + Data("crx isom".utf8)),
        ("CRW", "Canon", Data([0x49, 0x49, 26, 0, 0, 0]) + Data("HEAPCCDR".utf8)),
        ("ORF", "Olympus", Data("IIRO".utf8) + Data([8, 0, 0, 0])),
        ("RW2", "Panasonic", Data("IIU\0".utf8) + Data(count: 20)),
        ("RAF", "Fujifilm", Data("FUJIFILMCCD-RAW 0201".utf8)), ("X3F", "Sigma", Data("FOVb".utf8) + Data(count: 20)),
        ("MRW", "Minolta", Data("\0MRM".utf8) + Data(count: 20)),
    ]

    @Test(arguments: raws.map(\.name))
    func `a raw file without a preview is unsupported by its maker's name, with every decoder and without`(
        name: String
    ) throws {
        let raw = try #require(Self.raws.first { $0.name == name })
        for decoders in [DecoderRegistry.standard, DecoderRegistry([PNGDecoder()])] {
            let error = #expect(throws: CodecError.self) { try decoders.header(of: raw.file) }
            #expect(error?.code == .unsupported, "\(error?.message ?? "")")
            let lack = name == "MRW" ? "" : " without a preview"
            #expect(error?.message == "camera RAW (\(raw.maker))\(lack) is not supported")
        }
    }

    @Test func `a raw file that names no maker is unsupported, and no byte of it is quoted`() {
        for maker in ["", "\u{1B}[31m"] {
            let error = #expect(throws: CodecError.self) {
                try DecoderRegistry.standard.header(of: Preview(maker: maker, entries: [(50706, 1)]).file)
            }
            #expect(error?.message == "camera RAW without a preview is not supported")
        }
    }

    #if TIFF
        @Test func `a TIFF of a camera, or with smaller images or a thumbnail below, is an image`() throws {
            // GIMP adds a thumbnail of 256 pixels to smaller images, too.
            let thumbnail = Preview(parts: [(256, 166, 2)], areReduced: true).file
            for file in [Preview().file, Preview(parts: [(2, 1, 1), (1, 1, 1)]).file, thumbnail] {
                let bitmap = try DecoderRegistry.standard.decode(file)
                #expect(bitmap.size == PixelSize(width: 4, height: 3))
            }
        }
    #endif
}
