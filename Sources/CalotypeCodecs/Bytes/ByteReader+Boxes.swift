extension ByteReader {
    /// Returns the contents of the boxes of this type between `offset` and the end (ISO/IEC 14496-12, 4.2): the first 65,536, so
    /// that a file of nothing but small boxes takes little memory.
    func boxes(_ type: StaticString, from offset: Int) -> [ByteReader] {
        var found: [ByteReader] = []
        var offset = offset
        while found.count < 1 << 16, var size = uint32(at: offset) {
            var header = 8
            if size == 1, let high = uint32(at: offset + 8), let low = uint32(at: offset + 12) {
                guard high < 1 << 16 else { break }
                size = high << 32 | low
                header = 16
            } else if size == 0 {
                size = count - offset
            }
            guard size >= header else { break }
            if has(type, at: offset + 4) { found.append(slice(offset + header..<offset + size)) }
            offset += size
        }
        return found
    }
}
