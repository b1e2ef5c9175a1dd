internal import CalotypeHTTP

/// Walks through one field value, byte by byte.
struct FieldReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: ByteString) {
        bytes = text.bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Returns whether the next byte is this one; passes it then.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func pass() {
        if position < bytes.count { position += 1 }
    }

    /// RFC 9110 §5.6.3: blanks and tabs.
    mutating func skipWhiteSpace() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    mutating func skipSpaces() {
        while next == 0x20 { position += 1 }
    }

    /// The bytes as long as they pass.
    mutating func text(while passes: (UInt8) -> Bool) -> ByteString {
        let start = position
        while let byte = next, passes(byte) { position += 1 }
        return ByteString(bytes: bytes[start..<position])
    }

    /// RFC 9110 §5.6.2; nil where there is none.
    mutating func token() -> ByteString? {
        let token = text(while: \.isTokenCharacter)
        return token.isEmpty ? nil : token
    }

    /// RFC 9110 §5.6.4, from its opening quote on; nil where it does not end, and all is passed then.
    mutating func quotedString() -> ByteString? {
        guard take(0x22) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case 0x22: return ByteString(bytes: content)
            case 0x5C:
                guard let escaped = next else { return nil }
                content.append(escaped)
                position += 1
            default: content.append(byte)
            }
        }
        return nil
    }

    /// Everything up to the next comma that stands in no quotes, or to the end.
    mutating func member() -> ByteString {
        let start = position
        while let byte = next, byte != 0x2C {
            if byte == 0x22 { _ = quotedString() } else { position += 1 }
        }
        return ByteString(bytes: bytes[start..<position])
    }
}
