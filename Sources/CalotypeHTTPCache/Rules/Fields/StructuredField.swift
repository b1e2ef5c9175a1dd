internal import CalotypeHTTP

/// Structured fields (RFC 8941), as much of them as CDN-Cache-Control and Cache-Status need: dictionaries and lists.
///
/// Strict, as §4.2 asks: one mistake, and there is no value at all.
enum StructuredField {
    enum BareItem: Hashable, Sendable {
        case integer(Int)
        case decimal(Double)
        case string(ByteString)
        case token(ByteString)
        case bytes(ByteString)
        case boolean(Bool)
    }

    enum Value: Hashable, Sendable {
        case item(BareItem)
        case innerList([BareItem])
    }

    /// RFC 8941 §3.2. The value of a key that comes again is the last one.
    static func dictionary(_ text: ByteString) -> [ByteString: Value]? {
        var parser = StructuredFieldParser(text)
        return parser.dictionary()
    }

    /// RFC 8941 §3.1. Parameters are checked and dropped.
    static func list(_ text: ByteString) -> [Value]? {
        var parser = StructuredFieldParser(text)
        return parser.list()
    }

    /// RFC 8941 §4.1.6: in quotes; nil where the text holds what a string cannot.
    static func quoted(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        let escaped = text.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
