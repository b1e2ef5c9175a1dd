package import Foundation

/// The author and the copyright of an image, from the tags Artist and Copyright of its EXIF block.
///
/// EXIF prescribes ASCII, but cameras write UTF-8 as well: the bytes are kept as they are. A NUL within the copyright
/// separates the photographer's notice from the editor's.
package struct ImageCredits: Hashable, Sendable {
    /// The author, without trailing spaces and NULs. Empty if the tag is absent or longer than 4,096 bytes.
    package let artist: [UInt8]
    /// The copyright, without trailing spaces and NULs. Empty if the tag is absent or longer than 4,096 bytes.
    package let copyright: [UInt8]

    /// The maximum length of a text in bytes. A longer text is omitted, so that the block fits into a JPEG segment.
    static let longestText = 4096

    private static let artistTag = 0x013B
    private static let copyrightTag = 0x8298

    package init?(artist: [UInt8], copyright: [UInt8]) {
        self.artist = Self.trimmed(artist)
        self.copyright = Self.trimmed(copyright)
        if self.artist.isEmpty && self.copyright.isEmpty { return nil }
    }

    /// Reads an EXIF block, or returns `nil` if it is damaged or has neither tag.
    init?(exif: ByteReader) {
        guard let directory = EXIFDirectory(exif) else { return nil }
        self.init(artist: directory.text(Self.artistTag) ?? [], copyright: directory.text(Self.copyrightTag) ?? [])
    }

    /// Returns a text without the trailing spaces and NULs of some cameras, or an empty text if it is too long.
    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let end = text.lastIndex { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard let end, end < longestText else { return [] }
        return Array(text[...end])
    }

    /// A new EXIF block that contains only these tags: a TIFF header, a directory, and the texts.
    package var exif: Data {
        let tags = [(Self.artistTag, artist), (Self.copyrightTag, copyright)].filter { !$0.1.isEmpty }
        let textStart = 8 + 2 + 12 * tags.count + 4
        var (directory, texts) = (Data("MM\0*".utf8), Data())
        directory.appendBigEndian(8, bytes: 4)
        directory.appendBigEndian(tags.count, bytes: 2)
        for (tag, text) in tags {
            let text = text + [0]
            directory.appendBigEndian(tag, bytes: 2)
            directory.appendBigEndian(EXIFDirectory.ascii, bytes: 2)
            directory.appendBigEndian(text.count, bytes: 4)
            guard text.count > 4 else {
                // A text of at most four bytes is stored in the entry itself, in place of its offset.
                directory += text + [UInt8](repeating: 0, count: 4 - text.count)
                continue
            }
            directory.appendBigEndian(textStart + texts.count, bytes: 4)
            // Texts begin at even offsets.
            texts += text.count.isMultiple(of: 2) ? text : text + [0]
        }
        directory.appendBigEndian(0, bytes: 4)
        return directory + texts
    }

    /// Returns the JPEG with an added EXIF segment that contains the credits.
    ///
    /// - Parameter jpeg: A JPEG without an EXIF segment.
    func embedded(inJPEG jpeg: Data) -> Data {
        let content = Data("Exif\0\0".utf8) + exif
        var segment = Data([0xFF, 0xE1])
        segment.appendBigEndian(content.count + 2, bytes: 2)
        // A JFIF segment has to stay the first segment.
        let start = jpeg.reading { bytes in
            let file = ByteReader(bytes)
            return file.uint16(at: 2) == 0xFFE0 ? 4 + (file.uint16(at: 4) ?? 0) : 2
        }
        return jpeg.prefix(start) + segment + content + jpeg.dropFirst(start)
    }
}

/// A decoder that finds the credits of an image.
package protocol CreditsDecoder: ImageDecoder {
    /// Returns the author and the copyright, or `nil` if the file contains neither.
    func credits(of data: Data) -> ImageCredits?
}

extension Data {
    mutating func appendBigEndian(_ number: Int, bytes: Int) {
        for shift in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
