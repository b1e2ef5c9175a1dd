/// The reason for rejecting a request. The connection ends, because the beginning of the next request is uncertain.
struct RequestFault: Error, Hashable {
    var status = 400
    /// The reason as a sentence, for the body of the response.
    let reason: String

    init(_ reason: String, status: Int = 400) {
        self.status = status
        self.reason = reason
    }

    static let controlCharacter = RequestFault("The request's head contains a control character.")
    static let bareCarriageReturn = RequestFault("The request has a carriage return without a line feed.")
    static let secondEmptyLine = RequestFault("The request begins with more than one empty line.")
    static let methodTooLong = RequestFault("The request method is too long.", status: 501)
    static let targetTooLong = RequestFault("The request target is too long.", status: 414)
    static let headTooLarge = RequestFault("The request's header fields are too large.", status: 431)
    static let tooManyFields = RequestFault("The request has too many header fields.", status: 431)
    static let malformedRequestLine = RequestFault("The request line is not a method, a target and a version.")
    static let malformedVersion = RequestFault("The request line does not end in an HTTP version.")
    static let unsupportedVersion = RequestFault("Only HTTP/1.0 and HTTP/1.1 are supported.", status: 505)
    static let malformedMethod = RequestFault("The request method is not a token.")
    static let malformedTarget = RequestFault("The request target contains a character that HTTP does not allow.")
    static let unknownTargetForm = RequestFault("The request target has a form that its method does not allow.")
    static let malformedFieldName = RequestFault("A header field has no name, or one that is not a token.")
    static let foldedLine = RequestFault("A header line begins with white space.")
    static let malformedHost = RequestFault("Host is not a host with an optional port.")
    static let missingHost = RequestFault("The request has no Host.")
    static let severalHosts = RequestFault("The request has more than one Host.")
    static let malformedLength = RequestFault("Content-Length is not a single number.")
    static let lengthAndCoding = RequestFault("The request has both Content-Length and Transfer-Encoding.")
    static let codingInHTTP10 = RequestFault("HTTP/1.0 has no Transfer-Encoding.")
    static let unsupportedCoding = RequestFault("The only supported Transfer-Encoding is chunked.")
    static let malformedChunk = RequestFault("A chunk of the body is malformed.")
    static let chunkTooLarge = RequestFault("A chunk of the body has an impossible size.")
    static let chunkExtensionsTooLong = RequestFault("The chunk extensions of the body are too long.")
    static let malformedTrailer = RequestFault("A trailer of the body is malformed.")
    static let trailers = RequestFault("No request has trailers here.")
    static let trailersTooLarge = RequestFault("The request's trailers are too large.", status: 431)

    static let lateHead = RequestFault("The request's head took too long.", status: 408)
    static let slowBody = RequestFault("The request's body arrives too slowly.", status: 408)

    static func bodyTooLarge(limit: Int) -> RequestFault {
        RequestFault("The body is larger than the limit of \(limit) bytes.", status: 413)
    }
}
