package import Foundation

/// An EXIF block for a new file: a TIFF header, its directories, and their values, without a thumbnail.
package struct EXIFBlock: Hashable, Sendable {
    /// The block, starting at its TIFF header.
    package let bytes: Data

    /// The maximum size in bytes, so that the block fits into a JPEG segment. Values beyond it are left out.
    static let longest = 65_000

    init(_ bytes: Data) { self.bytes = bytes }

    package init(_ credits: ImageCredits) { self.init(credits.exif) }
}

/// The metadata of a source that a result keeps.
package enum KeptMetadata: String, CaseIterable, Sendable {
    case none
    /// The author and the copyright.
    case copyright
    /// The EXIF block, corrected for the result: see ``EXIFBlock/init(keeping:of:size:)``.
    case all
}

extension EXIFBlock {
    /// Creates the block of a result from the metadata of its source. Returns `nil` if there is nothing to keep.
    ///
    /// With `all`, values that described the source are corrected: the image is upright, in sRGB, and of the result's
    /// size. The thumbnail, which may show more than the result, is not copied, nor is anything whose content is
    /// unknown: a MakerNote, which often contains a preview, and private tags. XMP and IPTC are no part of EXIF.
    ///
    /// - Parameter size: The result's size in pixels.
    package init?(keeping metadata: KeptMetadata, of source: Data, size: PixelSize) {
        let block: EXIFBlock? = source.reading { bytes in
            guard metadata != .none, let parts = EXIFParts(of: ByteReader(bytes)) else { return nil }
            if metadata == .copyright { return ImageCredits(parts.main).map { EXIFBlock($0) } }
            return EXIFCorrection(size: size).block(from: parts)
        }
        guard let block else { return nil }
        self = block
    }
}

// MARK: - The correction

/// The rules for a copy of an EXIF block in a file with other pixels.
private struct EXIFCorrection {
    let size: PixelSize

    /// The tags of the first directory that describe the photograph: its description, camera, resolution, software,
    /// date, author, computer, rating, copyright, and the title, comment, author, keywords and subject of Windows. Other
    /// tags describe the stored pixels, or may contain anything.
    private static let described: Set<Int> = [
        0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298, 0x9C9B,
        0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]

    private enum Tag {
        static let (width, height, orientation) = (0x0100, 0x0101, 0x0112)
        static let (colorSpace, pixelWidth, pixelHeight) = (0xA001, 0xA002, 0xA003)
        /// MakerNote, the directory for interoperability, which may state Adobe RGB, and gamma.
        static let dropped: Set = [0x927C, 0xA005, 0xA500]
    }

    func block(from parts: EXIFParts) -> EXIFBlock? {
        let source = parts.main
        var writer = EXIFWriter(bigEndian: source.bigEndian, limit: EXIFBlock.longest)
        writer.add(Tag.orientation, short: 1, to: .main)
        for entry in source.values {
            switch entry.tag {
            case Tag.width: writer.add(entry.tag, long: size.width, to: .main)
            case Tag.height: writer.add(entry.tag, long: size.height, to: .main)
            case let tag where Self.described.contains(tag): writer.add(entry, of: source, to: .main)
            default: break
            }
        }
        if let photo = parts.photo { add(photo, to: &writer) }
        if let place = parts.place {
            for entry in place.values where entry.tag <= 0x1F { writer.add(entry, of: place, to: .place) }
        }
        return writer.isEmpty ? nil : EXIFBlock(writer.assembled())
    }

    private func add(_ photo: EXIFDirectory, to writer: inout EXIFWriter) {
        for entry in photo.values {
            switch entry.tag {
            case Tag.colorSpace: writer.add(entry.tag, short: 1, to: .photo)
            case Tag.pixelWidth: writer.add(entry.tag, long: size.width, to: .photo)
            case Tag.pixelHeight: writer.add(entry.tag, long: size.height, to: .photo)
            // The tags of the standard.
            case 0x829A...0xA4FF where !Tag.dropped.contains(entry.tag): writer.add(entry, of: photo, to: .photo)
            default: break
            }
        }
    }
}
