extension ByteString: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: Interpolation) { self = stringInterpolation.joined }

    /// An interpolation that appends the bytes of `ByteString`s and the descriptions of other values.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var joined = ByteString()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { joined.append(ByteString(literal)) }
        /// Appends the bytes of a string.
        public mutating func appendInterpolation(_ value: ByteString) { joined.append(value) }
        /// Appends a string with its original spelling.
        public mutating func appendInterpolation(_ value: CaselessString) { joined.append(value.spelling) }
        /// Appends a value's description.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            joined.append(ByteString(value.description))
        }
    }
}

extension ByteString {
    /// Appends the bytes of another string.
    ///
    /// Takes time proportional to the appended bytes. The first append of invalid UTF-8 also copies the existing bytes.
    public mutating func append(_ other: ByteString) {
        TextCosts.note(other.count)
        let own = storage
        // Release the storage, so that the append below need not copy the text.
        storage = .text("")
        switch (consume own, other.storage) {
        case (.text(var text), .text(let more)):
            text += more
            storage = .text(text)
        case (.text(let text), .bytes(let more)):
            TextCosts.note(text.utf8.count)
            storage = .bytes(text.utf8 + more)
        case (.bytes(var bytes), _):
            other.withBytes { bytes += $0 }
            storage = .bytes(bytes)
        }
    }
}

extension Sequence<ByteString> {
    /// Returns the elements concatenated, with `separator` between them.
    public func joined(separator: ByteString = "") -> ByteString {
        var parts = makeIterator()
        guard var joined = parts.next() else { return "" }
        while let part = parts.next() {
            joined.append(separator)
            joined.append(part)
        }
        return joined
    }
}
