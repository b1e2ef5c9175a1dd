/// The index of the images in a file (CIPA DC-007), a directory in the form of a TIFF.
struct MPFIndex {
    /// The ranges of the images behind the first one, in ascending order and without overlaps. They may lie outside the file.
    let images: [Range<Int>]

    /// - Parameters:
    ///   - file: The file from its first image on.
    ///   - segment: The range of the index, behind the name of its segment. Offsets in it count from here.
    init(_ file: ByteReader, at segment: Range<Int>) {
        let index = file.slice(segment)
        var images: [Range<Int>] = []
        for entry in Self.entries(of: index) {
            guard let size = entry.size, let offset = entry.offset, offset > 0, size > 0 else { continue }
            let start = segment.lowerBound + offset
            images.append(start..<start + size)
        }
        images.sort { $0.lowerBound < $1.lowerBound }
        // A reader of all of them passes over the file once, however many there are.
        self.images = images.reduce(into: []) { kept, image in
            if image.lowerBound >= kept.last?.upperBound ?? 0 { kept.append(image) }
        }
    }

    private static let entriesTag = 0xB002
    private static let entryBytes = 16
    /// Cameras write a handful of images. The first of more are read.
    private static let mostEntries = 64

    private static func entries(of index: ByteReader) -> [(size: Int?, offset: Int?)] {
        guard let directory = EXIFDirectory(index), let list = directory.values.first(where: { $0.tag == entriesTag })
        else { return [] }
        let entries = directory.reader(of: list)
        return (0..<min(entries.count / entryBytes, mostEntries)).map { number in
            let start = number * entryBytes
            return (
                entries.uint32(at: start + 4, bigEndian: directory.bigEndian),
                entries.uint32(at: start + 8, bigEndian: directory.bigEndian)
            )
        }
    }
}
