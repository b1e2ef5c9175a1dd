internal import CalotypeHTTP

/// One member of Cache-Control (RFC 9111 §5.2).
struct CacheDirective: Hashable, Sendable {
    let name: CaselessString
    /// The argument without quotes, or `nil` if the directive has no argument.
    let argument: ByteString?

    /// Returns the directives of well-formed lines, and the words of malformed ones, which may contain directives.
    static func all(in lines: some Sequence<ByteString>) -> (listed: [CacheDirective], stray: [CacheDirective]) {
        var (listed, stray): ([CacheDirective], [CacheDirective]) = ([], [])
        for line in lines {
            switch DirectiveLine(line) {
            case .list(let directives): listed += directives
            case .words(let words): stray += words
            }
        }
        return (listed, stray)
    }
}

/// One line of Cache-Control. Lines are parsed separately, so that an open quote does not affect the next line.
enum DirectiveLine: Hashable, Sendable {
    case list([CacheDirective])
    /// All words of a malformed line, quoted or not, with any argument directly after them: no restriction is lost.
    case words([CacheDirective])

    init(_ text: ByteString) {
        self = Self.list(in: text).map(DirectiveLine.list) ?? .words(Self.words(in: text))
    }

    /// Parses a list (RFC 9110 §5.6.1) and ignores empty members. Returns `nil` if any part of the line is malformed.
    private static func list(in text: ByteString) -> [CacheDirective]? {
        var reader = FieldReader(text)
        var directives: [CacheDirective] = []
        while true {
            reader.skipWhiteSpace()
            if let name = reader.token() {
                var argument: ByteString?
                if reader.take(0x3D) {
                    argument = reader.next == 0x22 ? reader.quotedString() : reader.token()
                    guard argument != nil else { return nil }
                }
                directives.append(CacheDirective(name: CaselessString(name), argument: argument))
                reader.skipWhiteSpace()
            }
            if reader.isAtEnd { return directives }
            guard reader.take(0x2C) else { return nil }
        }
    }

    private static func words(in text: ByteString) -> [CacheDirective] {
        var reader = FieldReader(text)
        var words: [CacheDirective] = []
        while !reader.isAtEnd {
            let name = reader.text(while: \.isWordCharacter)
            if name.isEmpty {
                reader.pass()
            } else {
                // Read from a copy, because the text after the "=" may contain further directives.
                var ahead = reader
                words.append(CacheDirective(name: CaselessString(name), argument: ahead.strayArgument()))
            }
        }
        return words
    }
}

extension FieldReader {
    /// Reads "=" and a token, with or without quotes around it, or returns `nil`.
    fileprivate mutating func strayArgument() -> ByteString? {
        guard take(0x3D) else { return nil }
        let isQuoted = take(0x22)
        let argument = token()
        return !isQuoted || take(0x22) ? argument : nil
    }
}

extension UInt8 {
    fileprivate var isWordCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
