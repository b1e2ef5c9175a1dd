import CCurl
import CalotypeBase
import CalotypeHTTP

/// The failure of a transfer, with curl's code and message.
struct CurlFailure: Error, CustomStringConvertible {
    let code: UInt32
    let text: String
    let host: String
    let connectTimeout: Duration
    let hasHead: Bool
    let authorities: CertificateAuthorities?

    /// - Parameter authorities: The system's certificates, or `nil` if the transport has its own.
    init(
        result: CURLcode, text: String, host: String, connectTimeout: Duration, hasHead: Bool,
        authorities: CertificateAuthorities?
    ) {
        code = result.rawValue
        self.text = text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
        self.host = host
        self.connectTimeout = connectTimeout
        self.hasHead = hasHead
        self.authorities = authorities
    }

    var description: String { "curl \(code): \(text)" }

    var translated: TransportError {
        switch CURLcode(code) {
        case CURLE_UNSUPPORTED_PROTOCOL where ByteString(text).hasPrefix("Protocol"): error(.unsupportedScheme, text)
        case CURLE_UNSUPPORTED_PROTOCOL: error(.malformedResponse, "\(host) does not speak HTTP: \(text)")
        case CURLE_URL_MALFORMAT: error(.malformedURL, text)
        case CURLE_COULDNT_RESOLVE_HOST: error(.cannotFindHost, "the host \(host) cannot be found")
        case CURLE_COULDNT_RESOLVE_PROXY: error(.cannotFindHost, "the proxy cannot be found: \(text)")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: error(.cannotConnect, "no connection to \(host): \(text)")
        case CURLE_OPERATION_TIMEDOUT: error(.timedOut, "no connection to \(host) within \(connectTimeout.text)")
        case CURLE_PARTIAL_FILE: error(.truncatedBody, "\(host) ended the body early: \(text)")
        case CURLE_GOT_NOTHING: error(.connectionLost, "\(host) closed the connection without a response")
        case CURLE_RECV_ERROR where !hasHead && ByteString(text).contains("response headers"), Self.tooLarge:
            error(.malformedResponse, "the head of \(host)'s response is too large")
        case CURLE_BAD_CONTENT_ENCODING:
            // Of transfer codings alone: the transport leaves content codings to a layer.
            error(.malformedResponse, "\(host) sent a transfer coding that was not asked for: \(text)")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: lost
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: error(.connectionLost, "\(host) broke off: \(text)")
        case CURLE_WEIRD_SERVER_REPLY: error(.malformedResponse, "\(host) does not speak HTTP: \(text)")
        case CURLE_BAD_FUNCTION_ARGUMENT where !hasHead:
            // curl's result for a folded line at the beginning of a head.
            error(.malformedResponse, "the head of \(host)'s response begins with a folded line")
        case CURLE_OUT_OF_MEMORY where !hasHead:
            // curl 7 also returns this for a head that is too large.
            error(.malformedResponse, "the head of \(host)'s response is too large")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED:
            error(.tlsFailed, "no secure connection to \(host): \(authorities?.advice ?? text)")
        default: error(.other, "\(host): \(text)")
        }
    }

    /// `CURLE_TOO_LARGE`, which curl has had since version 8.6: a header field that is too long, or too many of them.
    private static let tooLarge = CURLcode(100)

    private var lost: TransportError {
        if ["chunk", "hexadecimal"].contains(where: ByteString(text).contains) {
            return error(.malformedResponse, "\(host) sent malformed chunks: \(text)")
        }
        return error(.connectionLost, "the connection to \(host) was lost: \(text)")
    }

    private func error(_ code: TransportError.Code, _ message: String) -> TransportError {
        TransportError(code, message, underlying: self)
    }
}
