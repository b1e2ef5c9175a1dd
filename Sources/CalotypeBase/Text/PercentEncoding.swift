extension Sequence<UInt8> {
    /// The bytes after percent-decoding (RFC 3986 §2.1), or `nil` for a "%" without two hexadecimal digits.
    package var percentDecoded: [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(underestimatedCount)
        var rest = makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }
}

extension [UInt8] {
    /// Appends bytes, all but the safe ones percent-encoded (RFC 3986 §2.1).
    ///
    /// - Parameter keepsEscapes: Whether a "%" before two hexadecimal digits is appended as it is. The default is
    ///   `false`: `isSafe` decides about each "%".
    package mutating func appendPercentEncoded(
        _ bytes: UnsafeRawBufferPointer.SubSequence, keepsEscapes: Bool = false, except isSafe: (UInt8) -> Bool
    ) {
        for index in bytes.indices {
            let byte = bytes[index]
            let isEscape = byte == UInt8(ascii: "%") && keepsEscapes && bytes[(index + 1)...].beginsWithHexPair
            if isEscape || isSafe(byte) {
                append(byte)
            } else {
                self += [UInt8(ascii: "%"), UInt8.hexDigits[Int(byte >> 4)], UInt8.hexDigits[Int(byte & 15)]]
            }
        }
    }
}

extension ByteString {
    /// The string after percent-decoding, or `nil` for a "%" without two hexadecimal digits.
    package var percentDecoded: ByteString? {
        contains(UInt8(ascii: "%")) ? withBytes { $0.percentDecoded.map { ByteString(bytes: $0) } } : self
    }

    /// The string with all bytes but the safe ones percent-encoded.
    package func percentEncoded(except isSafe: (UInt8) -> Bool) -> ByteString {
        withBytes { bytes in
            guard !bytes.allSatisfy(isSafe) else { return self }
            var encoded: [UInt8] = []
            encoded.appendPercentEncoded(bytes[...], except: isSafe)
            return ByteString(bytes: encoded)
        }
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    fileprivate var beginsWithHexPair: Bool { count >= 2 && prefix(2).allSatisfy { $0.hexValue != nil } }
}

extension UInt8 {
    fileprivate static let hexDigits = Array("0123456789ABCDEF".utf8)

    package var isAlphanumeric: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether the byte is an unreserved character (RFC 3986 §2.3).
    package var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }

    /// The value of a hexadecimal digit in either case, or `nil` for any other byte.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
