internal import CalotypeHTTP

/// The parsing algorithms of RFC 8941 §4.2.
struct StructuredFieldParser {
    private var reader: FieldReader

    init(_ text: ByteString) {
        reader = FieldReader(text)
    }

    /// Parses a dictionary (§4.2.2).
    mutating func dictionary() -> [ByteString: StructuredField.Value]? {
        var members: [ByteString: StructuredField.Value] = [:]
        let isWhole = eachMember { parser in
            guard let key = parser.key() else { return false }
            if parser.reader.take(0x3D) {
                guard let value = parser.value() else { return false }
                members[key] = value
            } else {
                members[key] = .item(.boolean(true))
            }
            return parser.parameters()
        }
        return isWhole ? members : nil
    }

    /// Parses a list (§4.2.1).
    mutating func list() -> [StructuredField.Value]? {
        var members: [StructuredField.Value] = []
        let isWhole = eachMember { parser in
            guard let value = parser.value() else { return false }
            members.append(value)
            return parser.parameters()
        }
        return isWhole ? members : nil
    }

    private mutating func eachMember(_ member: (inout StructuredFieldParser) -> Bool) -> Bool {
        reader.skipSpaces()
        while !reader.isAtEnd {
            guard member(&self) else { return false }
            reader.skipWhiteSpace()
            if reader.isAtEnd { return true }
            guard reader.take(0x2C) else { return false }
            reader.skipWhiteSpace()
            if reader.isAtEnd { return false }
        }
        return true
    }

    /// Parses a key (§4.2.3.3).
    private mutating func key() -> ByteString? {
        guard let first = reader.next, first == 0x2A || (first >= 0x61 && first <= 0x7A) else { return nil }
        return reader.text { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D, 0x2E, 0x2A: true
            default: false
            }
        }
    }

    /// Checks parameters and drops them (§4.2.3.2).
    private mutating func parameters() -> Bool {
        while reader.take(0x3B) {
            reader.skipSpaces()
            guard key() != nil else { return false }
            if reader.take(0x3D), bareItem() == nil { return false }
        }
        return true
    }

    private mutating func value() -> StructuredField.Value? {
        reader.next == 0x28 ? innerList() : bareItem().map(StructuredField.Value.item)
    }

    /// Parses an inner list (§4.2.1.2).
    private mutating func innerList() -> StructuredField.Value? {
        var items: [StructuredField.BareItem] = []
        reader.pass()
        while true {
            reader.skipSpaces()
            if reader.take(0x29) { return .innerList(items) }
            guard let item = bareItem(), parameters(), reader.next == 0x20 || reader.next == 0x29 else { return nil }
            items.append(item)
        }
    }

    /// Parses a bare item (§4.2.3.1).
    private mutating func bareItem() -> StructuredField.BareItem? {
        guard let first = reader.next else { return nil }
        switch first {
        case 0x22: return string().map(StructuredField.BareItem.string)
        case 0x3A: return byteSequence().map(StructuredField.BareItem.bytes)
        case 0x3F: return boolean().map(StructuredField.BareItem.boolean)
        case 0x2D, 0x30...0x39: return number()
        default: return token().map(StructuredField.BareItem.token)
        }
    }

    /// Parses a number (§4.2.4): at most 15 digits, or 12 before and 3 after the point.
    private mutating func number() -> StructuredField.BareItem? {
        let sign = reader.take(0x2D) ? -1 : 1
        let whole = reader.text(while: \.isDigit)
        guard !whole.isEmpty else { return nil }
        guard reader.take(0x2E) else {
            guard whole.count <= 15 else { return nil }
            return whole.asDigits.map { .integer(sign * $0) }
        }
        let fraction = reader.text(while: \.isDigit)
        guard whole.count <= 12, (1...3).contains(fraction.count) else { return nil }
        return Double("\(whole).\(fraction)" as String).map { .decimal(Double(sign) * $0) }
    }

    /// Parses a string (§4.2.5).
    private mutating func string() -> ByteString? {
        reader.pass()
        var content: [UInt8] = []
        while let byte = reader.next {
            reader.pass()
            switch byte {
            case 0x22: return ByteString(bytes: content)
            case 0x5C:
                guard let escaped = reader.next, escaped == 0x22 || escaped == 0x5C else { return nil }
                content.append(escaped)
                reader.pass()
            case 0x20...0x7E: content.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// Parses a token (§4.2.6).
    private mutating func token() -> ByteString? {
        guard let first = reader.next,
            first == 0x2A || (first >= 0x41 && first <= 0x5A) || (first >= 0x61 && first <= 0x7A)
        else { return nil }
        return reader.text(while: \.isStructuredTokenCharacter)
    }

    /// Parses a byte sequence (§4.2.7), without decoding its base64.
    private mutating func byteSequence() -> ByteString? {
        reader.pass()
        let content = reader.text { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
            default: false
            }
        }
        return reader.take(0x3A) ? content : nil
    }

    /// Parses a Boolean (§4.2.8).
    private mutating func boolean() -> Bool? {
        reader.pass()
        if reader.take(0x31) { return true }
        return reader.take(0x30) ? false : nil
    }
}
