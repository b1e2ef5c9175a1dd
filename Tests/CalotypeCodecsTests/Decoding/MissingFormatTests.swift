import Foundation
import Testing

@testable import CalotypeCodecs

/// Files of formats that need a package trait.
@Suite struct MissingFormatTests {
    static let starts: [(name: String, trait: String, bytes: Data)] = [
        ("HEIC", "HEIF", Data([0, 0, 0, 24]) + Data("ftypheic".utf8) + Data(count: 4) + Data("mif1heic".utf8)),
        ("HEIC", "HEIF", Data([0, 0, 0, 24]) + Data("ftypmsf1".utf8) + Data(count: 4) + Data("hevcmsf1".utf8)),
        ("JPEG XL", "JPEGXL", Data([0xFF, 0x0A, 0x7F, 0x01])),
        ("JPEG XL", "JPEGXL", Data([0, 0, 0, 12]) + Data("JXL ".utf8) + Data([0x0D, 0x0A, 0x87, 0x0A])),
        ("SVG", "SVG", Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
        (
            "SVG", "SVG",
            Data("\u{FEFF}<?xml version='1.0'?>\n<!-- <html> -->\n<!DOCTYPE svg [<!ENTITY a '>'>]> <s:svg>".utf8)
        ),
        ("TIFF", "TIFF", Data([0x49, 0x49, 42, 0])), ("TIFF", "TIFF", Data([0x4D, 0x4D, 0, 42])),
        ("TIFF", "TIFF", Data([0x49, 0x49, 43, 0, 8, 0])),
    ]

    /// Files that a registry without the standard decoders lacks a decoder for.
    static let others: [(name: String, bytes: Data)] = [
        ("BMP", Data("BM".utf8) + Data(count: 12) + Data([40, 0, 0, 0])),
        ("ICO", Data([0, 0, 1, 0, 1, 0, 16, 16, 0, 0])),
        ("PNM", Data("P6\n4 4 255\n".utf8)), ("PNM", Data("P1 # a comment".utf8)), ("PNM", Data("P7\n".utf8)),
        ("TGA", Data([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 4, 0, 24, 32])),
        ("TGA", Data([0, 1, 9, 0, 0, 0, 1, 24, 0, 0, 0, 0, 8, 0, 4, 0, 8, 0])),
    ]

    @Test(arguments: others.indices)
    func `a file without a decoder in the registry is named, and no trait with it`(index: Int) throws {
        let (name, bytes) = Self.others[index]
        let error = #expect(throws: CodecError.self) { try DecoderRegistry([PNGDecoder()]).header(of: bytes) }
        #expect(error?.code == .unsupported && error?.message == "no registered decoder reads \(name)")
    }

    @Test(arguments: starts.indices)
    func `a file of a format that is not built in says so, and names the trait`(index: Int) throws {
        let (name, trait, bytes) = Self.starts[index]
        let error = #expect(throws: CodecError.self) { try DecoderRegistry([PNGDecoder()]).header(of: bytes) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "\(name) is not supported by this build: the Debian package calotype-formats adds it, or the package trait "
                + "\(trait) (build with --traits \(trait))")
    }

    @Test(arguments: [
        "<!DOCTYPE html><html><svg></svg>", "<html>", "<svgs>", "<?xml version='1.0'?><feed><svg/></feed>",
        "BM is a text",
        "P7 is none of them", "P6", "II*", "<!-- <svg>", "<!DOCTYPE svg [ <svg>", "{\"svg\": \"<svg>\"}",
    ])
    func `what only looks like one is no image`(text: String) throws {
        let error = #expect(throws: CodecError.self) { try DecoderRegistry.standard.header(of: Data(text.utf8)) }
        #expect(error?.code == .notAnImage)
    }

    @Test func `AVIF has the same boxes, and is no HEIC`() throws {
        let bytes = Data([0, 0, 0, 24]) + Data("ftypmif1".utf8) + Data(count: 4) + Data("mif1avif".utf8)
        #expect(bytes.reading { MissingFormat(ByteReader($0)) == nil })
    }

    @Test func `requests accept what is built in, and nothing else by name`() {
        let field = DecoderRegistry([GIFDecoder(), PNGDecoder()]).acceptField
        #expect(field == "image/png, image/gif, */*;q=0.5")
    }
}
