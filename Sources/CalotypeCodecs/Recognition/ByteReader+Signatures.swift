// Recognition of formats, also of those whose decoders need a package trait. Without a decoder, `MissingFormat` names the
// format.
extension ByteReader {
    /// Returns whether the first box contains one of these brands (ISO/IEC 14496-12, 4.3).
    func hasBrand(_ brands: [StaticString]) -> Bool {
        guard has("ftyp", at: 4), let size = uint32(at: 0) else { return false }
        return ([8] + Array(stride(from: 16, to: min(size, 256), by: 4))).contains { offset in
            brands.contains { has($0, at: offset) }
        }
    }

    /// Whether the bytes begin a HEIF file (ISO/IEC 23008-12): images and sequences in HEVC, or in a coding that the
    /// brands do not name. AVIF has the same structure, but does not count.
    var isHEIF: Bool {
        hasBrand(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"])
            && !hasBrand(["avif", "avis"])
    }

    /// Whether the bytes begin a JPEG XL (ISO/IEC 18181-2): a bare codestream or one in boxes.
    var isJPEGXL: Bool {
        uint16(at: 0) == 0xFF0A
            || (uint32(at: 0) == 12 && has("JXL ", at: 4) && uint32(at: 8) == 0x0D0A_870A)
    }

    /// Whether the bytes begin a BMP. Text may begin with "BM", too, so this also checks the size of the second header.
    var isBMP: Bool {
        guard has("BM", at: 0), let size = uint32(at: 14, bigEndian: false) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
    }

    /// Whether the bytes begin a Windows icon or cursor.
    var isICO: Bool {
        guard uint16(at: 0) == 0, let kind = uint16(at: 2, bigEndian: false),
            let count = uint16(at: 4, bigEndian: false)
        else { return false }
        return (1...2).contains(kind) && count > 0 && uint8(at: 9) == 0
    }

    /// Whether the bytes begin a TIFF, or a BigTIFF, which has offsets of eight bytes.
    var isTIFF: Bool {
        let order = uint16(at: 0)
        guard order == 0x4949 || order == 0x4D4D, let version = uint16(at: 2, bigEndian: order == 0x4D4D)
        else { return false }
        return version == 42 || version == 43 && uint16(at: 4, bigEndian: order == 0x4D4D) == 8
    }

    /// Whether the bytes begin one of Netpbm's formats: a P, a digit from 1 to 6, and white space or a comment, or the first
    /// line of a PAM.
    var isPNM: Bool {
        if has("P7\n", at: 0) { return true }
        guard has("P", at: 0), let digit = uint8(at: 1), let next = uint8(at: 2) else { return false }
        return (0x31...0x36).contains(digit) && [0x09, 0x0A, 0x0D, 0x20, 0x23].contains(next)
    }

    /// Whether the bytes may begin a TGA. TGA has no signature: every field of the header must be valid. Without a
    /// palette, some programs leave the depth that its colors would have.
    var isTGA: Bool {
        guard let map = uint8(at: 1), let kind = uint8(at: 2), let mapDepth = uint8(at: 7),
            let mapCount = uint16(at: 5, bigEndian: false), let width = uint16(at: 12, bigEndian: false),
            let height = uint16(at: 14, bigEndian: false), let depth = uint8(at: 16), let flags = uint8(at: 17)
        else { return false }
        let isMapped = kind == 1 || kind == 9
        let depths = isMapped || kind == 3 || kind == 11 ? [8, 16] : [15, 16, 24, 32]
        return [1, 2, 3, 9, 10, 11].contains(kind) && map == (isMapped ? 1 : 0) && depths.contains(depth)
            && (isMapped ? mapCount > 0 : mapCount == 0)
            && ([15, 16, 24, 32].contains(mapDepth) || mapDepth == 0 && !isMapped)
            && width > 0 && height > 0 && flags & 0xC0 == 0 && flags & 0x0F <= 8
    }

    /// Whether the bytes begin an XML document whose first element is `svg`.
    var isSVG: Bool {
        var offset = has("\u{FEFF}", at: 0) ? 3 : 0
        while let byte = uint8(at: offset), offset < 1 << 16 {
            if [0x09, 0x0A, 0x0D, 0x20].contains(byte) {
                offset += 1
            } else if has("<?", at: offset) {
                offset = end(of: "?>", from: offset)
            } else if has("<!--", at: offset) {
                offset = end(of: "-->", from: offset)
            } else if has("<!DOCTYPE", at: offset) {
                offset = endOfDocumentType(from: offset)
            } else {
                return isSVGTag(at: offset)
            }
        }
        return false
    }

    /// Returns the offset after the next `mark`, or the end of the bytes.
    private func end(of mark: StaticString, from start: Int) -> Int {
        var offset = start
        while offset < count {
            if has(mark, at: offset) { return offset + mark.utf8CodeUnitCount }
            offset += 1
        }
        return count
    }

    /// Returns the offset after the document type, whose internal declarations are in brackets.
    private func endOfDocumentType(from start: Int) -> Int {
        var offset = start
        while let byte = uint8(at: offset) {
            if byte == UInt8(ascii: ">") { return offset + 1 }
            offset = byte == UInt8(ascii: "[") ? end(of: "]", from: offset) : offset + 1
        }
        return count
    }

    /// Returns whether a tag such as `<svg`, or `<s:svg` with a prefix, is at `offset`.
    private func isSVGTag(at offset: Int) -> Bool {
        guard has("<", at: offset) else { return false }
        var start = offset + 1
        var place = start
        while let byte = uint8(at: place), place < start + 32, ![0x09, 0x0A, 0x0D, 0x20, 0x2F, 0x3E].contains(byte) {
            place += 1
            if byte == UInt8(ascii: ":") { start = place }
        }
        guard has("svg", at: start), let next = uint8(at: start + 3) else { return false }
        return [0x09, 0x0A, 0x0D, 0x20, 0x2F, 0x3E].contains(next)
    }
}
