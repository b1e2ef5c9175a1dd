internal import CalotypeBase

extension HTTPRequest {
    /// Throws `malformedRequest` for a method, field or target that could inject lines into the request, before
    /// anything is sent.
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
            guard field.value.withBytes({ $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }) else {
                throw TransportError(.malformedRequest, "the value of \(field.name) contains a line break or NUL")
            }
        }
        if let rawTarget, rawTarget.isEmpty || !rawTarget.withBytes({ $0.allSatisfy { $0 > 0x20 && $0 != 0x7F } }) {
            throw TransportError(.malformedRequest, "the request target is empty or contains an invalid byte")
        }
    }
}
