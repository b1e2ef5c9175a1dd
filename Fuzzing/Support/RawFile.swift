public import Foundation

/// A camera's raw file with two previews, laid out as the makers do.
public struct RawFile {
    public enum Kind: String, CaseIterable, Sendable {
        case dng, cr2, cr3, nef, arw, raf, orf, rw2, pef, crw, x3f

        /// Whether the file has an orientation besides that of its preview.
        public var hasOrientation: Bool { self != .raf && self != .x3f }

        /// Whether the file has EXIF.
        public var hasFacts: Bool { self != .crw }
    }

    /// The larger JPEG.
    public var preview: Data
    /// The smaller JPEG.
    public var thumbnail: Data
    /// The orientation of the raw file; `nil` for a file without one. RAF and X3F have that of their preview alone, and a CRW is not
    /// mirrored.
    public var orientation: Int?

    public init(preview: Data, thumbnail: Data, orientation: Int? = 1) {
        (self.preview, self.thumbnail, self.orientation) = (preview, thumbnail, orientation)
    }

    public func data(_ kind: Kind) -> Data {
        switch kind {
        case .dng: dng
        case .cr2: cr2
        case .cr3: RawBoxFile(self).data
        case .nef: nef
        case .arw: arw
        case .raf: raf
        case .orf: orf(note: Self.note("OLYMPUS\0II\u{3}\0", preview))
        case .rw2: rw2
        case .pef: pef
        case .crw: crw
        case .x3f: x3f
        }
    }

    /// The samples of a sensor: the header of a lossless JPEG of 8,000 × 6,000 pixels.
    public static let samples = Data([
        0xFF, 0xD8, 0xFF, 0xC3, 0, 11, 14, 0x17, 0x70, 0x1F, 0x40, 1, 0, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 0, 0, 1, 0, 0, 9,
        9,
        0xFF, 0xD9,
    ])

    // MARK: - Parts

    public static let little = Data("II*\0".utf8) + Data(count: 4)
    static let big = Data("MM\0*".utf8) + Data(count: 4)

    /// The first entries of a directory with a maker, a model and the orientation.
    public func camera(_ maker: String) -> TIFFFile.Directory {
        [.text(271, maker), .text(272, "X1")] + (orientation.map { [.short(274, $0)] } ?? [])
    }

    public static func exposure(_ further: TIFFFile.Directory = []) -> TIFFFile.Entry {
        .directories(34665, [[.text(36867, "2026:05:01 12:30:00")] + further])
    }

    public static func jpeg(_ jpeg: Data) -> TIFFFile.Directory { [.places(513, jpeg), .long(514, jpeg.count)] }

    /// An image in one strip.
    public static func strip(_ data: Data, compression: Int = 7, meaning: Int? = 6) -> TIFFFile.Directory {
        [.short(259, compression)] + (meaning.map { [.short(262, $0)] } ?? [])
            + [.places(273, data), .long(279, data.count)]
    }

    static var sensor: TIFFFile.Directory { [.long(256, 8000), .long(257, 6000)] + strip(samples, meaning: 32803) }

    /// A note of Olympus, with the preview in itself.
    ///
    /// - Parameter start: The place from which offsets count, so many bytes in front of the note. The default is 0.
    public static func note(_ beginning: String, _ preview: Data, start: Int = 0) -> Data {
        note(
            beginning, [.directories(0x2020, [[.places(0x101, preview), .long(0x102, preview.count)]])], start: start)
    }

    /// A note of Pentax.
    public static func pentaxNote(_ beginning: String, _ preview: Data, start: Int = 0) -> Data {
        note(beginning, [.long(3, preview.count), .places(4, preview)], start: start)
    }

    private static func note(_ beginning: String, _ directory: TIFFFile.Directory, start: Int) -> Data {
        Data(
            TIFFFile.data(Data(count: start) + Data(beginning.utf8), [directory], pointsToFirst: false).dropFirst(start)
        )
    }

    /// A note of Nikon, which contains a TIFF with the preview.
    public static func nikonNote(_ preview: Data) -> Data {
        Data("Nikon\0".utf8) + [2, 0x10, 0, 0] + TIFFFile.data(little, [[.directories(0x11, [jpeg(preview)])]])
    }

    // MARK: - Kinds

    private var dng: Data {
        TIFFFile.data(
            Self.little,
            [
                Self.strip(thumbnail) + camera("Apple")
                    + [
                        .directories(330, [Self.sensor, [.long(254, 1)] + Self.strip(preview)]), Self.exposure(),
                        .bytes(50706, Data([1, 4, 0, 0])),
                    ]
            ])
    }

    private var cr2: Data {
        TIFFFile.data(
            Self.little + Data("CR".utf8) + [2, 0, 0, 0, 0, 0],
            [
                Self.strip(preview, compression: 6, meaning: nil) + camera("Canon") + [Self.exposure()],
                Self.jpeg(thumbnail), Self.strip(Data(repeating: 7, count: 48), compression: 1, meaning: 2),
                Self.strip(Self.samples, compression: 6, meaning: nil),
            ])
    }

    private var nef: Data {
        TIFFFile.data(
            Self.big,
            [
                camera("NIKON CORPORATION")
                    + [
                        .directories(330, [Self.jpeg(preview), Self.sensor]),
                        Self.exposure([.bytes(37500, Self.nikonNote(thumbnail))]),
                    ]
            ], isBigEndian: true)
    }

    private var arw: Data {
        TIFFFile.data(
            Self.little,
            [
                camera("SONY") + [.directories(330, [Self.sensor])] + Self.jpeg(preview) + [Self.exposure()],
                Self.jpeg(thumbnail),
            ])
    }

    private var pef: Data {
        TIFFFile.data(
            Self.big,
            [
                [.short(262, 32803)] + camera("PENTAX ") + [Self.exposure()], Self.jpeg(thumbnail), Self.jpeg(preview),
            ], isBigEndian: true)
    }

    /// - Parameter note: The note of the maker, which has the preview.
    public func orf(note: Data) -> Data {
        TIFFFile.data(
            Data("IIRO".utf8) + Data(count: 4),
            [camera("OLYMPUS CORPORATION") + [Self.exposure([.bytes(37500, note)])], Self.jpeg(thumbnail)])
    }

    private var rw2: Data {
        TIFFFile.data(
            Data("IIU\0".utf8) + Data(count: 20),
            [
                [.bytes(0x2E, thumbnail)] + camera("Panasonic") + [.bytes(0x127, preview), Self.exposure()]
            ])
    }

    private var raf: Data { Self.raf(previewWithFacts("FUJIFILM")) }

    /// The preview with the facts that others have in the raw file.
    func previewWithFacts(_ maker: String) -> Data {
        let exif = Data("Exif\0\0".utf8) + TIFFFile.data(Self.little, [camera(maker) + [Self.exposure()]])
        let segment = Data([0xFF, 0xE1, UInt8((exif.count + 2) >> 8), UInt8((exif.count + 2) & 255)]) + exif
        return preview.prefix(2) + segment + preview.dropFirst(2)
    }

    /// Returns a RAF with this preview.
    ///
    /// - Parameters:
    ///   - start: The preview's offset as the header states it.
    ///   - length: The preview's length as the header states it; `nil` for the right one.
    public static func raf(_ preview: Data, start: Int = 108, length: Int? = nil) -> Data {
        let numbers = [start, length ?? preview.count, 108 + preview.count, 0, 108 + preview.count, 0]
        let head = Data("FUJIFILMCCD-RAW 0201FF129502X1".utf8)
        return head + Data(count: 84 - head.count) + numbers.reduce(Data()) { $0 + RawBoxFile.bytes($1, 4) } + preview
    }
}
