internal import CalotypeBase

extension UnsafeRawBufferPointer {
    /// `true` for a token (RFC 9110 §5.6.2).
    package var isHTTPToken: Bool { !isEmpty && allSatisfy(\.isTokenCharacter) }

    /// `true` if the bytes contain no control character except tab (RFC 9110 §5.5).
    package var isFieldContent: Bool { allSatisfy(\.isFieldContent) }
}

extension ByteString {
    var isHTTPToken: Bool { withBytes(\.isHTTPToken) }

    package var isFieldContent: Bool { withBytes(\.isFieldContent) }
}

extension CaselessString {
    package var isHTTPToken: Bool { spelling.isHTTPToken }
}

extension UInt8 {
    /// `true` for a character of a token (RFC 9110 §5.6.2).
    @inlinable package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// `true` for a character that may follow the first one of a structured field's token (RFC 8941 §3.3.4).
    @inlinable package var isStructuredTokenCharacter: Bool { isTokenCharacter || self == 0x3A || self == 0x2F }

    @inlinable package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// `true` unless the byte is a control character other than tab (RFC 9110 §5.5).
    @inlinable package var isFieldContent: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
