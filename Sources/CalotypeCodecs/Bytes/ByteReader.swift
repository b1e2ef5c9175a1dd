/// A reader of numbers in untrusted bytes. Every read returns `nil` if it is out of bounds.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func uint8(at offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[offset])
    }

    func uint16(at offset: Int, bigEndian: Bool = true) -> Int? {
        guard contains(offset, 2) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Int(bigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    }

    func uint32(at offset: Int, bigEndian: Bool = true) -> Int? {
        guard contains(offset, 4) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(bigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    }

    func has(_ expected: StaticString, at offset: Int) -> Bool {
        guard contains(offset, expected.utf8CodeUnitCount) else { return false }
        return expected.withUTF8Buffer { $0.elementsEqual(bytes[offset..<offset + $0.count]) }
    }

    /// Returns whether a text is anywhere in the bytes.
    func contains(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard let first = text.first else { return true }
            var rest = bytes[...]
            while let index = rest.firstIndex(of: first), text.count <= bytes.count - index {
                if bytes[index..<index + text.count].elementsEqual(text) { return true }
                rest = rest[(index + 1)...]
            }
            return false
        }
    }

    /// Returns a reader of the part of `range` that lies within the bytes.
    func slice(_ range: Range<Int>) -> ByteReader {
        ByteReader(UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]))
    }

    func copy() -> [UInt8] { Array(bytes) }

    /// Returns `count` bytes from `offset` on, or `nil` unless all of them are there.
    func bytes(at offset: Int, count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, contains(offset, count) else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    private func contains(_ offset: Int, _ length: Int) -> Bool {
        offset >= 0 && offset <= bytes.count - length
    }
}
