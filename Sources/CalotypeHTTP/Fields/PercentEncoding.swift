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
