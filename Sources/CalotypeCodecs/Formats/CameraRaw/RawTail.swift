/// The places of JPEGs in a raw file whose directory stands at its end: Canon's CRW and Sigma's X3F.
///
/// Of more than 1,024 entries the first ones are read: cameras write some 30.
struct RawTail {
    /// The ranges of JPEGs, which may lie outside the file.
    private(set) var places: [Range<Int>] = []
    /// The orientation of the image, from 1 to 8; `nil` if there is none.
    private(set) var orientation: Int?

    private let file: ByteReader
    private static let limit = 1024

    private init(_ file: ByteReader) { self.file = file }

    // MARK: - CRW

    /// Reads a CRW: heaps of values, which may be heaps, each with its directory at its end.
    static func ofCRW(_ file: ByteReader) -> RawTail {
        var tail = RawTail(file)
        let bigEndian = file.has("MM", at: 0)
        guard let start = file.uint32(at: 2, bigEndian: bigEndian), start <= file.count else { return tail }
        for value in tail.values(ofHeap: start..<file.count, bigEndian) {
            switch value.tag {
            // The whole image, and the thumbnail.
            case 0x2007, 0x2008: tail.places.append(value.range)
            // Properties, of which one has the image's size and, after three numbers, its rotation in degrees.
            case 0x300A:
                let size = tail.values(ofHeap: value.range.clamped(to: 0..<file.count), bigEndian)
                    .first { $0.tag == 0x1810 }
                let rotation = size.flatMap { file.uint32(at: $0.range.lowerBound + 12, bigEndian: bigEndian) }
                tail.orientation = rotation.flatMap { [0: 1, 90: 6, 180: 3, 270: 8][$0] }
            default: break
            }
        }
        return tail
    }

    private func values(ofHeap heap: Range<Int>, _ bigEndian: Bool) -> [(tag: Int, range: Range<Int>)] {
        guard let offset = file.uint32(at: heap.upperBound - 4, bigEndian: bigEndian) else { return [] }
        let directory = heap.lowerBound + offset
        guard let count = file.uint16(at: directory, bigEndian: bigEndian) else { return [] }
        return (0..<min(count, Self.limit)).compactMap { index in
            let entry = directory + 2 + 10 * index
            guard let tag = file.uint16(at: entry, bigEndian: bigEndian),
                let length = file.uint32(at: entry + 2, bigEndian: bigEndian), length > 0,
                let start = file.uint32(at: entry + 6, bigEndian: bigEndian)
            else { return nil }
            return (tag, heap.lowerBound + start..<heap.lowerBound + start + length)
        }
    }

    // MARK: - X3F

    /// Reads an X3F, whose sections have a directory. The orientation is in the preview alone.
    static func ofX3F(_ file: ByteReader) -> RawTail {
        var tail = RawTail(file)
        guard let directory = file.uint32(at: file.count - 4, bigEndian: false), file.has("SECd", at: directory),
            let count = file.uint32(at: directory + 8, bigEndian: false)
        else { return tail }
        for index in 0..<min(count, limit) {
            let entry = directory + 12 + 12 * index
            guard let start = file.uint32(at: entry, bigEndian: false),
                let length = file.uint32(at: entry + 4, bigEndian: false)
            else { break }
            // An image whose coding is JPEG (18) follows its header of 28 bytes.
            let isImage = file.has("IMA2", at: entry + 8) || file.has("IMAG", at: entry + 8)
            guard isImage, file.has("SECi", at: start), file.uint32(at: start + 12, bigEndian: false) == 18, length > 28
            else { continue }
            tail.places.append(start + 28..<start + length)
        }
        return tail
    }
}
