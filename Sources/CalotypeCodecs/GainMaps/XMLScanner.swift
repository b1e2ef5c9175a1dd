/// A scanner of the tags and texts of an XML document. It goes forward only, and keeps nothing.
struct XMLScanner {
    struct Name {
        /// The text before the colon; empty without one.
        let prefix: String
        let local: String
    }

    struct Attribute {
        let name: Name
        let value: String
    }

    enum Part {
        case start(Name, [Attribute], isEmpty: Bool)
        case end(Name)
        /// A text without the spaces around it, which is not empty.
        case text(String)
        /// A declaration of a document type, which may declare entities.
        case declaration
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    private static let mostAttributes = 64

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the next part, or `nil` at the end, or at a tag that does not end.
    mutating func next() -> Part? {
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "<") else {
                let start = offset
                offset = firstIndex(of: UInt8(ascii: "<"), from: offset) ?? bytes.count
                if let text = trimmed(start..<offset) { return .text(text) }
                continue
            }
            switch offset + 1 < bytes.count ? bytes[offset + 1] : 0 {
            case UInt8(ascii: "?"): guard skip(behind: "?>") else { return nil }
            case UInt8(ascii: "!"):
                guard starts(with: "<!--") else { return .declaration }
                guard skip(behind: "-->") else { return nil }
            case UInt8(ascii: "/"):
                guard let end = firstIndex(of: UInt8(ascii: ">"), from: offset) else { return nil }
                let name = name(trimmed(offset + 2..<end) ?? "")
                offset = end + 1
                return .end(name)
            default: return tag()
            }
        }
        return nil
    }

    private mutating func tag() -> Part? {
        offset += 1
        let name = name(word())
        var attributes: [Attribute] = []
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: ">"):
                offset += 1
                return .start(name, attributes, isEmpty: false)
            case UInt8(ascii: "/"):
                guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: ">") else { return nil }
                offset += 2
                return .start(name, attributes, isEmpty: true)
            case let byte where byte.isSpace: offset += 1
            default:
                guard let attribute = attribute(), attributes.count < Self.mostAttributes else { return nil }
                attributes.append(attribute)
            }
        }
        return nil
    }

    private mutating func attribute() -> Attribute? {
        let name = name(word())
        while offset < bytes.count, bytes[offset].isSpace || bytes[offset] == UInt8(ascii: "=") { offset += 1 }
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'"),
            let end = firstIndex(of: bytes[offset], from: offset + 1)
        else { return nil }
        let value = String(decoding: bytes[offset + 1..<end], as: UTF8.self)
        offset = end + 1
        return Attribute(name: name, value: value)
    }

    /// Reads to the next character that ends a name.
    private mutating func word() -> String {
        let start = offset
        while offset < bytes.count, !bytes[offset].isSpace, !Self.ends.contains(bytes[offset]) { offset += 1 }
        // A character that begins no name would stop the scan here.
        if offset == start { offset = min(offset + 1, bytes.count) }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static let ends = Array("=/><\"'".utf8)

    private func name(_ text: String) -> Name {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return Name(prefix: "", local: text) }
        return Name(prefix: String(text[..<colon]), local: String(text[text.utf8.index(after: colon)...]))
    }

    private func trimmed(_ range: Range<Int>) -> String? {
        guard let first = range.first(where: { !bytes[$0].isSpace }),
            let last = range.last(where: { !bytes[$0].isSpace })
        else { return nil }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    private func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        start < bytes.count ? bytes[start...].firstIndex(of: byte) : nil
    }

    private func starts(with text: StaticString) -> Bool { ByteReader(bytes).has(text, at: offset) }

    /// Moves behind a text; to the end if it is not there, and returns `false`.
    private mutating func skip(behind text: StaticString) -> Bool {
        while offset < bytes.count, !starts(with: text) { offset += 1 }
        guard offset < bytes.count else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
