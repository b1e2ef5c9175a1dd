import Calotype
import CalotypeHTTP

/// The reason why a rendition cannot be made, as the status and the text of the response to the client.
struct RenditionFailure: Error, Hashable {
    let status: Int
    /// The text of the response: one line, without addresses and paths.
    let message: String
    /// The reason in detail, for the log only: it may contain addresses and paths.
    private(set) var reason: String
    /// The pause for which the origin asks before another attempt, in seconds; otherwise `nil`.
    let retryAfter: Int?

    init(_ status: Int, _ message: String, retryAfter: Int? = nil) {
        (self.status, self.message, self.retryAfter) = (status, message, retryAfter)
        reason = message
    }

    init(_ error: SourceError) {
        self.init(answering: error)
        reason = error.description
    }

    init(_ error: ImageError) {
        self.init(answering: error)
        reason = error.description
    }

    private init(answering error: SourceError) {
        switch error {
        case .notFound: self.init(404, "there is no such source")
        case .tooLarge: self.init(422, "the source has too many bytes")
        case .busy: self.init(503, "the source cannot be read now")
        case .unreadable: self.init(502, "the source cannot be read")
        }
    }

    private init(answering error: ImageError) {
        switch error.code {
        case .notAnImage: self.init(422, "the source is not an image")
        case .damagedImage, .truncated: self.init(422, "the image is damaged")
        case .imageTooLarge: self.init(422, "the image has too many pixels")
        case .bodyTooLarge: self.init(422, "the source has too many bytes")
        case .dataIsEmpty: self.init(422, "the source is empty")
        case .otherDigest: self.init(422, "the source has another digest than the URL demands")
        case .unsupportedImage: self.init(422, "the format of the source is not supported")
        case .stepFailed, .encodingFailed: self.init(422, "the rendition cannot be made: \(error.code.rawValue)")
        case .badStatus where error.asksToWait:
            self.init(503, "the source's server asks to try again later", retryAfter: error.pause)
        // Not the origin's own status: a 401 needs a challenge (RFC 9110 §15.5.2), which concerns no client of ours.
        case .badStatus where error.isRefusal: self.init(404, "there is no such source")
        case .redirectFailed where (error.underlying as? TransportError)?.code == .tooManyRedirects:
            self.init(502, "the source redirects too often")
        case .redirectFailed: self.init(403, "the source redirects to one that the server does not load")
        case .timedOut: self.init(504, "the source took too long")
        // Not a lasting failure: another process or the kernel may have killed the decoder.
        case .decoderFailed: self.init(500, "the image cannot be decoded")
        case .overloaded: self.init(503, "too many renditions are being made")
        default: self.init(502, "the source cannot be loaded: \(error.code.rawValue)")
        }
    }

    /// Whether the source itself is at fault, so that caches may keep the response for some seconds.
    var isLasting: Bool { [404, 422].contains(status) }

    /// Whether this server has too much to do, so that a second attempt would only add to it.
    var isOverload: Bool { status == 503 && retryAfter == nil }

    /// The error for the HTTP cache of results, which may respond with a stale rendition instead. It contains the
    /// failure.
    var transportError: TransportError {
        let code: TransportError.Code =
            switch status {
            case 503: .overloaded
            case 504: .timedOut
            default: .connectionLost
            }
        return TransportError(code, message, status: status, underlying: self)
    }
}

extension ImageError {
    /// Whether the origin refuses the request for now only (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4).
    fileprivate var asksToWait: Bool { [408, 425, 429].contains(status) }

    fileprivate var isRefusal: Bool { (400..<500).contains(status ?? 0) }

    /// The pause for which the origin asks, in whole seconds from 1 to 60.
    fileprivate var pause: Int {
        let seconds = (retryAfter ?? .zero) / .seconds(1)
        return Int(min(max(seconds.rounded(.up), 1), 60))
    }
}
