internal import CalotypeBase

extension HTTPRequest {
    /// Throws `malformedRequest` for a method (RFC 9110 §5.6.2), field (§5.5) or target (RFC 9112 §3.2) that could
    /// inject lines into the request.
    package func validate() throws(TransportError) {
        guard method.rawValue.isHTTPToken else {
            throw TransportError(.malformedRequest, "\"\(method.rawValue)\" is not a method")
        }
        for field in fields {
            guard field.name.isHTTPToken else {
                throw TransportError(.malformedRequest, "\"\(field.name)\" is not a field name")
            }
            guard field.value.withBytes({ $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }) else {
                throw TransportError(.malformedRequest, "the value of \(field.name) contains a line break or NUL")
            }
        }
        if let rawTarget, rawTarget.isEmpty || !rawTarget.withBytes({ $0.allSatisfy { $0 > 0x20 && $0 != 0x7F } }) {
            throw TransportError(.malformedRequest, "the request target is empty or contains an invalid byte")
        }
    }
}
