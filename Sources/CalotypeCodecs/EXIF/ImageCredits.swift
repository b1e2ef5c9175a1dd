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
        self.init(directory)
    }

    /// Reads the first directory of an EXIF block, or returns `nil` if it has neither tag.
    init?(_ directory: EXIFDirectory) {
        self.init(artist: directory.text(Self.artistTag) ?? [], copyright: directory.text(Self.copyrightTag) ?? [])
    }

    /// Reads the credits of a file, or returns `nil` if it contains neither.
    package init?(of file: Data) {
        let credits: ImageCredits? = file.reading { bytes in
            EXIFParts(of: ByteReader(bytes)).flatMap { ImageCredits($0.main) }
        }
        guard let credits else { return nil }
        self = credits
    }

    /// Returns a text without the trailing spaces and NULs of some cameras, or an empty text if it is too long.
    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let end = text.lastIndex { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard let end, end < longestText else { return [] }
        return Array(text[...end])
    }

    /// A new EXIF block that contains only these tags.
    package var exif: Data {
        var writer = EXIFWriter(bigEndian: true, limit: EXIFBlock.longest)
        if !artist.isEmpty { writer.add(Self.artistTag, text: artist, to: .main) }
        if !copyright.isEmpty { writer.add(Self.copyrightTag, text: copyright, to: .main) }
        return writer.assembled()
    }
}

extension Data {
    mutating func appendBigEndian(_ number: Int, bytes: Int) {
        for shift in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
}
