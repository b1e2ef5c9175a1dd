extension String {
    /// The text of a field line: UTF-8 where it is, else each byte as the character of that number.
    ///
    /// RFC 9110 §5.5 calls bytes above 0x7F opaque: none is lost this way, and none is refused.
    package init(fieldBytes bytes: UnsafeRawBufferPointer) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            // By far the most, and decoded several times as fast as what has to be validated.
            self = String(decoding: bytes, as: UTF8.self)
        } else if let text = String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self) {
            self = text
        } else {
            self = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Without spaces and tabs at either end (RFC 9110 §5.5).
    package var withoutOuterWhitespace: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    /// RFC 9110 §5.6.2.
    package var isHTTPToken: Bool { !isEmpty && allSatisfy(\.isTokenCharacter) }

    /// Whether no control character but the tab is in it (RFC 9110 §5.5).
    package var isFieldContent: Bool { allSatisfy(\.isFieldContent) }
}

extension UInt8 {
    /// Whether it is no control character but the tab (RFC 9110 §5.5).
    @inlinable package var isFieldContent: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
