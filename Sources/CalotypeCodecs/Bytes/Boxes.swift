/// The boxes in a part of a file (ISO/IEC 14496-12, 4.2), each with a size, a type and a content.
struct Boxes: Sequence, IteratorProtocol {
    struct Box {
        let name: String
        let content: Range<Int>
    }

    private let file: ByteReader
    private var rest: Range<Int>
    private let acceptsCutBoxes: Bool

    /// - Parameter acceptsCutBoxes: Whether a box may end behind the range: its content then ends with the range. Otherwise such a
    ///   box, and what follows, is left out. The default is `false`.
    init(_ file: ByteReader, _ range: Range<Int>, acceptsCutBoxes: Bool = false) {
        self.file = file
        self.acceptsCutBoxes = acceptsCutBoxes
        rest = range.clamped(to: 0..<file.count)
    }

    mutating func next() -> Box? {
        let start = rest.lowerBound
        guard rest.count >= 8, var size = file.uint32(at: start) else { return nil }
        var header = 8
        if size == 0 { size = rest.count }
        if size == 1 {
            // A size of 64 bits. No file has 2^32 bytes or more here.
            guard rest.count >= 16, file.uint32(at: start + 8) == 0, let low = file.uint32(at: start + 12) else {
                return nil
            }
            (size, header) = (low, 16)
        }
        if acceptsCutBoxes { size = Swift.min(size, rest.count) }
        guard size >= header, size <= rest.count else { return nil }
        defer { rest = start + size..<rest.upperBound }
        let name = String(decoding: file.slice(start + 4..<start + 8).copy(), as: UTF8.self)
        return Box(name: name, content: start + header..<start + size)
    }
}
