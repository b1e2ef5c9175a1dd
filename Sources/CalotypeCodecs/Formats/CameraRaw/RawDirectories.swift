/// All directories of a raw file in the structure of a TIFF, and the places that they declare to be a JPEG.
///
/// Directories follow each other, contain others, and may form a circle: each is read once. Of more than 64 it reads the first
/// ones, in the order in which they are found. Cameras write some ten.
struct RawDirectories {
    static let limit = 64

    /// The ranges of JPEGs, which may lie outside the file.
    private(set) var places: [Range<Int>] = []
    /// The orientation in the first directory, from 1 to 8; `nil` if there is none.
    private(set) var orientation: Int?

    private typealias Tag = RawDirectory.Tag

    init(_ file: ByteReader) {
        guard let tiff = RawTIFF(file), let first = tiff.start else { return }
        orientation = tiff.first?.number(Tag.orientation).flatMap { (1...8).contains($0) ? $0 : nil }
        var waiting = [first]
        var seen: Set<Int> = []
        while !waiting.isEmpty, seen.count < Self.limit {
            let start = waiting.removeFirst()
            guard seen.insert(start).inserted, let directory = RawDirectory(tiff, at: start) else { continue }
            places += directory.places
            waiting += directory.directoryStarts(Tag.parts) + [directory.next].compactMap(\.self)
            if let photo = directory.directoryStart(Tag.photo), seen.insert(photo).inserted,
                let note = RawDirectory(tiff, at: photo)?.range(Tag.makerNote)
            {
                places += MakerNote(tiff, at: note.lowerBound).places
            }
        }
    }
}

extension RawDirectory {
    /// The places that this directory declares to be a JPEG.
    fileprivate var places: [Range<Int>] {
        let values = [range(Tag.jpeg), range(Tag.largerJPEG)].compactMap { $0 }.filter { $0.count > 4 }
        return values + [range(at: Tag.jpegOffset, Tag.jpegLength)].compactMap { $0 } + imagePlaces
    }

    /// The place of the image that this directory describes, if it is one JPEG in one piece.
    ///
    /// The samples of a sensor may be a JPEG as well, and so may depth maps and masks: an image is gray (1), RGB or YCbCr. In
    /// CR2 it has no meaning.
    private var imagePlaces: [Range<Int>] {
        guard [6, 7].contains(number(Tag.compression)), [nil, 1, 2, 6].contains(number(Tag.meaning)) else { return [] }
        return [range(at: Tag.stripOffsets, Tag.stripLengths), range(at: Tag.tileOffsets, Tag.tileLengths)]
            .compactMap { $0 }
    }
}
