/// Walks through one field value, byte by byte.
struct FieldReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the next byte is this one; passes it then.
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

    /// The bytes as long as they pass, as text.
    mutating func text(while passes: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = next, passes(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// RFC 9110 §5.6.2; nil where there is none.
    mutating func token() -> String? {
        let token = text(while: \.isTokenCharacter)
        return token.isEmpty ? nil : token
    }

    /// RFC 9110 §5.6.4, from its opening quote on; nil where it does not end, and all is passed then.
    mutating func quotedString() -> String? {
        guard take(0x22) else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case 0x22: return String(decoding: content, as: UTF8.self)
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
    mutating func member() -> String {
        let start = position
        while let byte = next, byte != 0x2C {
            if byte == 0x22 { _ = quotedString() } else { position += 1 }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isWhiteSpace: Bool { self == 0x20 || self == 0x09 }
    /// RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}

extension StringProtocol {
    /// Without blanks and tabs at its ends.
    var trimmed: String {
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { !$0.isWhiteSpace }),
            let last = bytes.lastIndex(where: { !$0.isWhiteSpace })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    var lowercasedASCII: String {
        String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
