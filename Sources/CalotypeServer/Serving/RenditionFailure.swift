import Calotype
import CalotypeHTTP

/// The reason why a rendition cannot be made, as the status and the text of the response to the client.
struct RenditionFailure: Error, Hashable {
    let status: Int
    /// The text of the response: one line, without addresses and paths.
    let message: String

    init(_ status: Int, _ message: String) {
        (self.status, self.message) = (status, message)
    }

    init(_ error: SourceError) {
        switch error {
        case .notFound: self.init(404, "there is no such source")
        case .tooLarge: self.init(422, "the source has too many bytes")
        case .busy: self.init(503, "the source cannot be read now")
        case .unreadable: self.init(502, "the source cannot be read")
        }
    }

    init(_ error: ImageError) {
        switch error.code {
        case .notAnImage: self.init(422, "the source is not an image")
        case .damagedImage, .truncated: self.init(422, "the image is damaged")
        case .imageTooLarge: self.init(422, "the image has too many pixels")
        case .bodyTooLarge: self.init(422, "the source has too many bytes")
        case .dataIsEmpty: self.init(422, "the source is empty")
        case .otherDigest: self.init(422, "the source has another digest than the URL demands")
        case .unsupportedImage: self.init(422, "the format of the source is not supported")
        case .stepFailed, .encodingFailed: self.init(422, "the rendition cannot be made: \(error.code.rawValue)")
        case .badStatus where error.status == 404 || error.status == 410: self.init(404, "there is no such source")
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
    var isLasting: Bool { [404, 410, 422].contains(status) }

    /// The error for the HTTP cache of results, which may respond with a stale rendition instead.
    var transportError: TransportError {
        let code: TransportError.Code =
            switch status {
            case 503: .overloaded
            case 504: .timedOut
            default: .connectionLost
            }
        return TransportError(code, message, status: status)
    }
}
