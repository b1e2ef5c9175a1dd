public import Foundation

/// A raw file of Canon in boxes (ISO/IEC 14496-12): CR3.
public struct RawBoxFile {
    private let raw: RawFile

    public init(_ raw: RawFile) { self.raw = raw }

    /// The file: the large preview is the first track, the thumbnail stands in two boxes.
    public var data: Data {
        let start = file(trackStart: 0).range(of: raw.preview)?.lowerBound ?? 0
        return file(trackStart: start)
    }

    private func file(trackStart: Int) -> Data {
        let main = TIFFFile.data(RawFile.little, [raw.camera("Canon") + [.text(315, "Ann Lee")]])
        let photo = TIFFFile.data(RawFile.little, [[.text(36867, "2026:05:01 12:30:00")]])
        let place = TIFFFile.data(RawFile.little, [[.text(1, "N")]])
        let facts =
            Self.box("CNCV", Data("CanonCR3_001".utf8)) + Self.box("CMT1", main) + Self.box("CMT2", photo)
            + Self.box("CMT4", place) + Self.thumbnail(raw.thumbnail)
        return Self.brand
            + Self.box(
                "moov",
                Self.box("uuid", Self.photoType + facts) + Self.track(start: trackStart, length: raw.preview.count)
                    + Self.track(start: trackStart + raw.preview.count, length: RawFile.samples.count, isLong: false))
            + Self.preview(raw.thumbnail) + Self.box("mdat", raw.preview + RawFile.samples)
    }

    public static let brand = box("ftyp", Data("crx ".utf8) + [0, 0, 0, 1] + Data("crx isom".utf8))

    static let photoType = Data([
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ])
    static let previewType = Data([
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ])

    private static func thumbnail(_ jpeg: Data) -> Data {
        box("THMB", Data(count: 4) + bytes(160, 2) + bytes(120, 2) + bytes(jpeg.count, 4) + Data([0, 1, 0, 0]) + jpeg)
    }

    /// Returns the box of a preview, with further boxes in front of it.
    public static func preview(_ jpeg: Data, behind further: Data = Data()) -> Data {
        let content =
            Data(count: 4) + bytes(1, 2) + bytes(1620, 2) + bytes(1080, 2) + bytes(1, 2) + bytes(jpeg.count, 4) + jpeg
        return box("uuid", previewType + Data([0, 0, 0, 0, 0, 0, 0, 1]) + further + box("PRVW", content))
    }

    /// Returns a track with one sample.
    ///
    /// - Parameter isLong: Whether the offset has eight bytes, and the length stands in the header of its table.
    public static func track(start: Int, length: Int, isLong: Bool = true) -> Data {
        let sizes = isLong ? bytes(length, 4) + bytes(1, 4) : bytes(0, 4) + bytes(1, 4) + bytes(length, 4)
        let offset = bytes(start, isLong ? 8 : 4)
        let tables =
            box("stsz", Data(count: 4) + sizes) + box(isLong ? "co64" : "stco", Data(count: 4) + bytes(1, 4) + offset)
        return box("trak", box("tkhd", Data(count: 8)) + box("mdia", box("minf", box("stbl", tables))))
    }

    public static func box(_ type: String, _ content: Data) -> Data {
        bytes(content.count + 8, 4) + Data(type.utf8) + content
    }

    public static func bytes(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
