internal import CalotypeHTTP

/// The subset of structured fields (RFC 8941) that CDN-Cache-Control and Cache-Status need: dictionaries and lists.
/// Parsing is strict (§4.2): an error anywhere discards the field.
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

    /// Parses a dictionary (RFC 8941 §3.2). The last of repeated keys wins.
    static func dictionary(_ text: ByteString) -> [ByteString: Value]? {
        var parser = StructuredFieldParser(text)
        return parser.dictionary()
    }

    /// Parses a list (RFC 8941 §3.1). Parameters are checked and dropped.
    static func list(_ text: ByteString) -> [Value]? {
        var parser = StructuredFieldParser(text)
        return parser.list()
    }

    /// Returns the text as a quoted string (RFC 8941 §4.1.6), or `nil` if it contains an invalid character.
    static func quoted(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        let escaped = text.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
