import CalotypeHTTPCache
import Foundation
import HTTPTypes

// A field's value is bytes on both sides, so that text that is no UTF-8 passes unchanged. A name that is no token, and a value
// with a line break or NUL, which HTTPTypes would change, are errors: a field that is lost or changed might be one that a cache needs.

extension HTTPField.Name {
    /// HTTPTypes leaves Host out. The name is a token, so that the initializer returns a value.
    fileprivate static let host = Self("Host")!
}

extension HTTPTypes.HTTPRequest {
    init(_ request: CalotypeHTTP.HTTPRequest) throws(TransportError) {
        guard let method = Method(request.method.rawValue.string) else {
            throw TransportError(.malformedRequest, "\"\(request.method.rawValue)\" is no method")
        }
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true), let scheme = parts.scheme,
            let host = parts.percentEncodedHost, !host.isEmpty
        else { throw TransportError(.malformedURL, "the URL \(request.url) has no host") }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        var fields = try HTTPTypes.HTTPFields(request.fields)
        // In HTTPTypes, the authority takes the place of Host.
        let authority = fields[.host] ?? host + (parts.port.map { ":\($0)" } ?? "")
        fields[.host] = nil
        self.init(
            method: method, scheme: scheme, authority: authority,
            path: path + (parts.percentEncodedQuery.map { "?\($0)" } ?? ""), headerFields: fields)
    }
}

extension CalotypeHTTP.HTTPRequest {
    init(_ request: HTTPTypes.HTTPRequest) throws(TransportError) {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            let url = URL(string: "\(scheme)://\(authority)\(path)")
        else { throw TransportError(.malformedURL, "the request needs a scheme, an authority and a path") }
        self.init(
            url, method: HTTPMethod(rawValue: ByteString(request.method.rawValue)),
            fields: CalotypeHTTP.HTTPFields(request.headerFields))
    }
}

extension HTTPTypes.HTTPResponse {
    init(_ response: CalotypeHTTP.HTTPResponse) throws(TransportError) {
        guard (100...999).contains(response.status) else {
            throw TransportError(.malformedResponse, "\(response.status) is no status")
        }
        self.init(
            status: Status(code: response.status), headerFields: try HTTPTypes.HTTPFields(response.fields))
    }
}

extension HTTPTypes.HTTPFields {
    init(_ fields: CalotypeHTTP.HTTPFields) throws(TransportError) {
        self.init()
        for field in fields {
            guard let name = HTTPField.Name(field.name.string),
                !field.value.bytes.contains(where: { [0x00, 0x0A, 0x0D].contains($0) })
            else { throw TransportError(.malformedRequest, "the field \"\(field.name)\" cannot be sent in HTTP") }
            append(HTTPField(name: name, lenientValue: field.value.bytes))
        }
    }
}

extension CalotypeHTTP.HTTPFields {
    init(_ fields: HTTPTypes.HTTPFields) {
        self.init(
            fields.map { field in
                let value = field.withUnsafeBytesOfValue { ByteString(bytes: $0) }
                return Field(name: CaselessString(field.name.rawName), value: value)
            })
    }
}
