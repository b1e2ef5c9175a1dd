import Foundation
import Testing

@testable import CalotypeCodecs

/// The check of a file's structure that prevents a codec from showing half an image.
@Suite struct FileEndTests {
    private func isMissing(in file: Data) -> Bool {
        file.reading { FileEnd.isMissing(in: ByteReader($0)) }
    }

    private static func files() throws -> [(name: String, data: Data)] {
        // The library's own decoders detect missing bytes themselves.
        try DamageTests.files.filter { !["QOI", "ICO", "BMP", "TGA", "PNM"].contains($0.name) } + [
            ("JPEG whose EXIF block holds another", jpegWithThumbnail(Pictures.noise(60, 40))), ("HEIC", heic()),
        ]
    }

    private static func jpegWithThumbnail(_ bitmap: Bitmap) throws -> Data {
        let thumbnail = try JPEGFiles.make(bitmap.scaled(to: PixelSize(width: 12, height: 8)))
        return try JPEGFiles.make(bitmap).addingSegment(0xE1, JPEGFiles.exif(1) + thumbnail)
    }

    /// Returns the boxes of a HEIC file, one of them with a long size.
    private static func heic() -> Data {
        func box(_ type: String, _ count: Int) -> Data {
            Data().bigEndian(8 + count, bytes: 4) + Data(type.utf8) + Data(count: count)
        }
        let long = Data().bigEndian(1, bytes: 4) + Data("mdat".utf8) + Data().bigEndian(16 + 90, bytes: 8)
        return box("ftyp", 16) + box("meta", 120) + long + Data(count: 90)
    }

    @Test func `whole files have their end`() throws {
        for (name, file) in try Self.files() { #expect(!isMissing(in: file), "\(name)") }
    }

    @Test func `a file cut short anywhere lacks it`() throws {
        for (name, file) in try Self.files() {
            for sixteenths in 4...15 {
                #expect(isMissing(in: file.prefix(file.count * sixteenths / 16)), "\(sixteenths)/16 of \(name)")
            }
        }
    }

    @Test func `padding behind the end does no harm`() throws {
        for file in try [JPEGFiles.make(Pictures.noise(9, 9)), Pictures.noise(9, 9).encoded(as: .png)] {
            #expect(!isMissing(in: file + Data(count: 100)))
        }
    }

    @Test func `a box up to the end of the file is whole, one of no size is not`() {
        let ftyp = Data().bigEndian(16, bytes: 4) + Data("ftypheic".utf8) + Data(count: 4)
        #expect(!isMissing(in: ftyp + Data().bigEndian(0, bytes: 4) + Data("mdat".utf8) + Data(count: 5)))
        #expect(isMissing(in: ftyp + Data().bigEndian(7, bytes: 4) + Data("mdat".utf8) + Data(count: 5)))
        let endless = Data().bigEndian(1, bytes: 4) + Data("mdat".utf8) + Data(repeating: 0xFF, count: 8)
        #expect(isMissing(in: ftyp + endless))
    }

    @Test func `what is not known here is left to the codec`() {
        #expect(!isMissing(in: Data("II*\0".utf8)))
        #expect(!isMissing(in: Data()))
    }
}
