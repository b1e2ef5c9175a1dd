package import CalotypeBase

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

extension ByteString {
    /// The string after percent-decoding, or `nil` for a "%" without two hexadecimal digits.
    package var percentDecoded: ByteString? {
        contains(UInt8(ascii: "%")) ? withBytes { $0.percentDecoded.map { ByteString(bytes: $0) } } : self
    }
}

extension ByteString {
    /// The string with all other bytes percent-encoded.
    package func percentEncoded(except isSafe: (UInt8) -> Bool) -> ByteString {
        withBytes { bytes in
            guard !bytes.allSatisfy(isSafe) else { return self }
            return ByteString(bytes: bytes.flatMap { isSafe($0) ? [$0] : $0.percentEncoded })
        }
    }
}

extension UInt8 {
    package var isAlphanumeric: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether the byte is an unreserved character (RFC 3986 §2.3).
    package var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }

    package var percentEncoded: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
    }
}
