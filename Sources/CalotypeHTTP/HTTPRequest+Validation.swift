extension HTTPRequest {
    /// Refuses what would break out of its line on the wire, before anything is sent.
    ///
    /// RFC 9110 §5.6.2 (tokens) and §5.5 (field values); RFC 9112 §3.2 (request target).
    package func validate() throws(TransportError) {
        guard method.rawValue.isHTTPToken else {
            throw TransportError(.malformedRequest, "\"\(method.rawValue)\" is not a method")
        }
        for field in fields {
            guard field.name.isHTTPToken else {
                throw TransportError(.malformedRequest, "\"\(field.name)\" is not a field name")
            }
            guard field.value.utf8.allSatisfy({ $0 != 0x0D && $0 != 0x0A && $0 != 0 }) else {
                throw TransportError(.malformedRequest, "the value of \(field.name) holds a line break or NUL")
            }
        }
        if let rawTarget, rawTarget.isEmpty || !rawTarget.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) {
            throw TransportError(.malformedRequest, "the request target is empty or holds white space")
        }
    }
}

extension String {
    /// RFC 9110 §5.6.2.
    package var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }
}

extension UInt8 {
    /// RFC 9110 §5.6.2.
    @inlinable package var isTokenCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
