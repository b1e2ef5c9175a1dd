internal import CalotypeHTTP

/// A cursor over the bytes of a field value.
struct FieldReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: ByteString) {
        bytes = text.bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips the next byte if it equals `byte`, and returns whether it did.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    mutating func pass() {
        if position < bytes.count { position += 1 }
    }

    /// Skips spaces and tabs (RFC 9110 §5.6.3).
    mutating func skipWhiteSpace() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    mutating func skipSpaces() {
        while next == 0x20 { position += 1 }
    }

    mutating func text(while passes: (UInt8) -> Bool) -> ByteString {
        let start = position
        while let byte = next, passes(byte) { position += 1 }
        return ByteString(bytes: bytes[start..<position])
    }

    /// Reads a token (RFC 9110 §5.6.2). Returns `nil` if the next byte does not begin one.
    mutating func token() -> ByteString? {
        let token = text(while: \.isTokenCharacter)
        return token.isEmpty ? nil : token
    }

    /// Reads a quoted string (RFC 9110 §5.6.4). Without a closing quote, reads to the end and returns `nil`.
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

    /// Reads up to the next comma outside quotes, or to the end.
    mutating func member() -> ByteString {
        let start = position
        while let byte = next, byte != 0x2C {
            if byte == 0x22 { _ = quotedString() } else { position += 1 }
        }
        return ByteString(bytes: bytes[start..<position])
    }
}
