import CalotypeHTTP
import Foundation

/// Why a request is refused before anybody is asked to answer it. The connection ends with it: where the next request
/// would begin is not certain.
struct RequestRefusal: Error {
    var status = 400
    let reason: String

    init(_ reason: String, status: Int = 400) {
        self.status = status
        self.reason = reason
    }

    var response: ListenerResponse {
        var response = ListenerResponse(
            status: status, fields: ["Content-Type": "text/plain; charset=utf-8"], body: Data("\(reason)\n".utf8))
        response.closesConnection = true
        return response
    }
}

extension RequestHead {
    /// What RFC 9112 tells a server to refuse, and what two readers of one request could understand differently.
    func check() throws(RequestRefusal) {
        try checkTarget()
        try checkHost()
        try checkFraming()
    }

    /// RFC 9112 §3.2: origin form, absolute form, authority form for CONNECT, the asterisk for OPTIONS.
    private func checkTarget() throws(RequestRefusal) {
        let bytes = target.utf8
        // Neither white space nor a fragment belongs there (§3.2), nor anything outside ASCII (RFC 3986 §2).
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw RequestRefusal("The request target holds a character that HTTP does not allow.")
        }
        let hasRightForm =
            switch method {
            case "CONNECT": !bytes.isEmpty && !target.hasPrefix("/")
            case "OPTIONS" where target == "*": true
            default: target.hasPrefix("/") || hasScheme
            }
        guard hasRightForm else { throw RequestRefusal("The request target has a form that HTTP does not know.") }
    }

    private var hasScheme: Bool {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = target.utf8[..<colon]
        return !scheme.isEmpty && scheme.allSatisfy(\.isSchemeCharacter) && target[colon...].hasPrefix("://")
    }

    /// RFC 9112 §3.2: exactly one Host, which is a host and perhaps a port.
    private func checkHost() throws(RequestRefusal) {
        var count = 0
        for field in fields where field.name == "Host" {
            count += 1
            guard field.value.withBytes({ $0.allSatisfy(\.isAuthorityCharacter) }) else {
                throw RequestRefusal("Host is no host.")
            }
        }
        if count > 1 { throw RequestRefusal("The request names two hosts.") }
        if count == 0 && version != "1.0" { throw RequestRefusal("The request names no host.") }
    }

    /// RFC 9112 §6: one way only to tell where the body ends.
    private func checkFraming() throws(RequestRefusal) {
        var codings: [ByteString] = []
        var lengths: [ByteString] = []
        for field in fields {
            if field.name == "Transfer-Encoding" { codings.append(field.value) }
            if field.name == "Content-Length" { lengths.append(field.value) }
        }
        if let first = lengths.first, first.asDigits == nil || lengths.contains(where: { $0 != first }) {
            throw RequestRefusal("Content-Length is not one number.")
        }
        guard let coding = codings.first else { return }
        guard lengths.isEmpty else {
            throw RequestRefusal("The request has both Content-Length and Transfer-Encoding.")
        }
        guard version != "1.0" else { throw RequestRefusal("HTTP/1.0 knows no Transfer-Encoding.") }
        guard codings.count == 1, CaselessString(coding) == "chunked" else {
            throw RequestRefusal("The only transfer coding known here is chunked.")
        }
    }
}

extension UInt8 {
    fileprivate var isAlphanumeric: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// RFC 3986 §3.1.
    fileprivate var isSchemeCharacter: Bool { isAlphanumeric || "+-.".utf8.contains(self) }

    /// RFC 3986 §3.2.2, §3.2.3: a name, an address in brackets, a port; no user.
    fileprivate var isAuthorityCharacter: Bool { isAlphanumeric || "-._~%!$&'()*+,;=:[]".utf8.contains(self) }
}
