/// One member of Cache-Control (RFC 9111 §5.2).
struct CacheDirective: Hashable, Sendable {
    enum Argument: Hashable, Sendable {
        case none
        /// Without the quotes, if it had some.
        case text(String)
        /// Something stands there that is neither a token nor a quoted string, or white space stands around the "=".
        case malformed
    }

    /// In lower case.
    let name: String
    let argument: Argument

    /// Members in order; what has no name is left out.
    static func parse(_ text: String) -> [CacheDirective] {
        var reader = FieldReader(text)
        var directives: [CacheDirective] = []
        while !reader.isAtEnd {
            reader.skipWhiteSpace()
            if let name = reader.token() {
                directives.append(CacheDirective(name: name.lowercasedASCII, argument: argument(&reader)))
            }
            _ = reader.member()
            reader.pass()
        }
        return directives
    }

    private static func argument(_ reader: inout FieldReader) -> Argument {
        let end = reader.position
        reader.skipWhiteSpace()
        guard reader.take(0x3D) else { return reader.isAtEnd || reader.next == 0x2C ? .none : .malformed }
        guard reader.position == end + 1 else { return .malformed }
        let text = reader.next == 0x22 ? reader.quotedString() : reader.token()
        reader.skipWhiteSpace()
        guard let text, reader.isAtEnd || reader.next == 0x2C else { return .malformed }
        return .text(text)
    }

    /// RFC 9111 §1.2.2; nil where the argument is not a number.
    var seconds: Double? {
        guard case .text(let text) = argument else { return nil }
        return DeltaSeconds.parse(text)
    }
}
