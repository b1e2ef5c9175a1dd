import CSandbox
import Foundation
import Testing

@testable import CalotypeCodecs

/// Files that are refused by name, or before a library reads them.
@Suite struct RefusedFileTests {
    private static let starts: [(name: String, bytes: Data)] = [
        ("minimized", Data("\0\0\0\u{10}ftypmif3avif\0\0\0\u{8}mini".utf8)),
        ("minimized", Data("\0\0\0\u{14}ftypavif\0\0\0\0avif\0\0\0\u{8}mini".utf8)),
        ("Photoshop", Data("8BPS\0\u{1}".utf8)), ("PDF", Data("%PDF-1.7\n".utf8)),
        ("MP4", Data("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp42".utf8)),
        ("WebM", Data([0x1A, 0x45, 0xDF, 0xA3, 0x01])),
    ]

    @Test(arguments: starts.indices)
    func `a known kind of file without a decoder is unsupported by its name`(index: Int) {
        let (name, file) = Self.starts[index]
        let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
        #expect(error?.code == .unsupported && error?.message.contains(name) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["iinf", "iloc", "ipma"])
    func `a file with tens of thousands of items is refused before a library reads it`(list: String) throws {
        func box(_ name: String, _ content: Data) -> Data {
            Data().bigEndian(content.count + 8, bytes: 4) + Data(name.utf8) + content
        }
        let count = Data().bigEndian(30_000, bytes: 4)
        let lists = [
            "iinf": box("iinf", Data([1, 0, 0, 0]) + count),
            "iloc": box("iloc", Data([2, 0, 0, 0, 0x44, 0]) + count),
            "ipma": box("iprp", box("ipma", Data(count: 4) + count)),
        ]
        var brands = ["avif"]
        #if HEIF
            brands.append("heic")
        #endif
        for brand in brands {
            let file =
                box("ftyp", Data("\(brand)\0\0\0\0\(brand)mif1".utf8))
                + box("meta", Data(count: 4) + (try #require(lists[list])))
            let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: file) }
            #expect(error?.code == .tooLarge && error?.message.contains("30000") == true, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [UInt32(8), 10], [1, 8] as [UInt32])
    func `an AVIF whose colors need a formula that libavif lacks is unsupported`(depth: UInt32, factor: UInt32) throws {
        let bitmap = try Bitmap.drawn(16, 16) { x, y in Pixel(UInt8(x * 16), UInt8(y * 16), 90) }
        var file = try AVIFFile(depth: depth).encoded(bitmap)
        // BT.2020 with constant luminance.
        let matrix = try #require(file.range(of: Data("nclx".utf8))).lowerBound + 8
        file.replaceSubrange(matrix..<matrix + 2, with: [0, 10])
        let error = #expect(throws: CodecError.self) { try file.decoded(ResizeTarget(width: 16 / Int(factor))) }
        #expect(error?.code == .unsupported, "\(error as Any)")
        #expect(error?.message.contains("matrix coefficients 10") == true, "\(error as Any)")
    }

    @Test func `an AVIF with a box that libavif does not support is unsupported`() throws {
        var file = try AVIFFile().encoded(Bitmap.drawn(16, 16) { _, _ in Pixel(1, 2, 3) })
        // The number of channels.
        file[try #require(file.range(of: Data("pixi".utf8))).upperBound + 4] = 9
        let error = #expect(throws: CodecError.self) { try file.decoded() }
        #expect(error?.code == .unsupported, "\(error as Any)")
    }

    @Test func `an AVIF whose image is of a kind that libavif does not know is unsupported`() throws {
        var file = try Pictures.gradient(16, 16).encoded(as: .avif(speed: 10))
        let item = try #require(file.range(of: Data("infe".utf8)))
        let kind = try #require(file.range(of: Data("av01".utf8), in: item.upperBound..<file.count))
        file.replaceSubrange(kind, with: Data("new1".utf8))
        let error = #expect(throws: CodecError.self) { try file.decoded() }
        #expect(error?.code == .unsupported, "\(error?.message ?? "")")
    }

    @Test func `a header beyond what a worker may report has no message`() {
        let header = ImageHeader(format: .jpegXL, width: 8, height: 8, samplesPerPixel: 259)
        #expect(ImageHeader(calotype_header(header), formats: [.jpegXL]) == nil)
    }
}
