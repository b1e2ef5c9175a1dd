extension ByteReader {
    /// A box of an ISO base media file (ISO/IEC 14496-12, 4.2).
    struct Box {
        /// The four bytes of the type.
        let type: ByteReader
        let content: ByteReader

        func isOf(_ type: StaticString) -> Bool { self.type.has(type, at: 0) }
    }

    /// Returns the contents of the boxes of this type between `offset` and the end: the first 65,536, so that a file of
    /// nothing but small boxes takes little memory.
    func boxes(_ type: StaticString, from offset: Int) -> [ByteReader] { typedBoxes(type, from: offset).map(\.content) }

    /// Returns the same boxes with their types.
    func typedBoxes(_ type: StaticString, from offset: Int) -> [Box] {
        var found: [Box] = []
        var offset = offset
        while found.count < 1 << 16, let extent = boxExtent(at: offset) {
            if has(type, at: offset + 4) {
                let content = slice(offset + extent.header..<offset + extent.size)
                found.append(Box(type: slice(offset + 4..<offset + 8), content: content))
            }
            offset += extent.size
        }
        return found
    }

    /// Returns all boxes from `offset` to the end, or `nil` if one is cut short, bytes are left, or there are more than
    /// `limit`.
    func wholeBoxes(from start: Int, limit: Int) -> [Box]? {
        var found: [Box] = []
        var offset = start
        while offset < count {
            guard let extent = boxExtent(at: offset), extent.size <= count - offset, found.count < limit else {
                return nil
            }
            let content = slice(offset + extent.header..<offset + extent.size)
            found.append(Box(type: slice(offset + 4..<offset + 8), content: content))
            offset += extent.size
        }
        return found
    }

    /// Returns the sizes of the box at `offset` and of its header. The box may extend beyond the bytes.
    private func boxExtent(at offset: Int) -> (header: Int, size: Int)? {
        guard var size = uint32(at: offset) else { return nil }
        var header = 8
        if size == 1, let high = uint32(at: offset + 8), let low = uint32(at: offset + 12) {
            guard high < 1 << 16 else { return nil }
            size = high << 32 | low
            header = 16
        } else if size == 0 {
            size = count - offset
        }
        return size >= header ? (header, size) : nil
    }
}
