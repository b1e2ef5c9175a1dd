import Calotype
import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
import CalotypeURLs

/// The reason why the server cannot start, or why it cannot make a rendition: then with the status and the text of the
/// response to the client.
package struct ServerError: InterruptibleFailure, Hashable, CustomStringConvertible {
    /// The status of the response. 500 if the server cannot start.
    let status: Int
    /// The text of the response: one line, without addresses and paths.
    let message: String
    /// The reason in detail, for the log only: it may contain addresses and paths.
    private(set) var reason: String
    /// The pause before another attempt, in seconds: the one for which the origin asks, or until the server has room. `nil`
    /// if neither is known.
    let retryAfter: Int?
    /// Whether this server has too much to do, so that a second attempt would only add to it.
    private(set) var isOverload: Bool
    /// The part of the source that is at fault in all of its renditions; `nil` for a failure of one rendition, or one that
    /// may pass.
    private(set) var fault: Fault?

    enum Fault: Sendable {
        /// The source is missing, empty, incomplete or too large, or its origin is silent.
        case source
        /// The bytes cannot be decoded.
        case image
    }

    /// What is wrong with the image, for a client that has sent it itself; `nil` if it is not at fault.
    private(set) var finding: ImageFinding?

    package var description: String { reason }

    /// - Parameter reason: The reason for the log. The default, `nil`, is the message.
    init(_ status: Int, _ message: String, reason: String? = nil, retryAfter: Int? = nil) {
        (self.status, self.message, self.retryAfter) = (status, message, retryAfter)
        self.reason = reason ?? message
        isOverload = status == 503 && retryAfter == nil
    }

    /// Returns this error of a source with the reason why its fallback image could not take its place.
    func adding(ofFallback other: ServerError) -> ServerError {
        var error = self
        error.reason += "; the fallback image: \(other.reason)"
        return error
    }

    /// Creates the error of a server that cannot start.
    init(start reason: String) { self.init(500, "the server cannot start", reason: reason) }

    init(_ error: RenditionError) { self.init(error.status, error.message) }

    init(_ error: ImageError) {
        guard error.code != .cancelled else {
            self = .cancelled
            return
        }
        guard error.code != .superseded else {
            self = .changed
            return
        }
        // A local file that fails while it is read.
        if let own = error.underlying as? ServerError {
            self = own
            return
        }
        self.init(answering: error)
        fault = Fault(error)
        finding = ImageFinding(error)
        reason = error.isAddressRefusal ? "\(error); --allow-address permits it" : error.description
    }

    package static let cancelled = ServerError(499, "cancelled")
    package static let timedOut = busy
    package static let overloaded = busy
    /// The rendition was not finished at the deadline of its request.
    static let late = ServerError(504, "the rendition took too long")

    /// Creates the error of a full queue.
    ///
    /// - Parameter retryAfter: The time until the queue has room, in seconds.
    static func queueFull(reason: String, retryAfter: Int) -> ServerError {
        var error = ServerError(503, "too many renditions are being made", reason: reason, retryAfter: retryAfter)
        error.isOverload = true
        return error
    }

    /// The drawings of the source's host have used up their processor time.
    static let drawingsUsedUp = {
        let text = "the drawings of this host take too much time"
        var error = ServerError(503, text, retryAfter: DrawingBudgets.pause)
        error.isOverload = true
        return error
    }()

    private init(answering error: ImageError) {
        switch error.code {
        case .notAnImage: self.init(422, "the source is not an image")
        // The origin has announced more bytes than have arrived: nothing is known about the image.
        case .truncated where error.underlying is TransportError: self.init(502, "the source arrived incomplete")
        case .damagedImage, .truncated: self.init(422, "the image is damaged")
        case .imageTooLarge: self.init(422, "the image has too many pixels, or takes too much memory")
        case .memoryExceeded: self.init(422, "the rendition takes too much memory")
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
        case _ where error.isAddressRefusal: self.init(403, "the source is not one that the server loads")
        // The time of the rendition ended in a decoder, or before it had one.
        case .timedOut where error.underlying is CodecError: self = .late
        case .timedOut: self.init(504, "the source took too long")
        // Not a lasting failure: another process or the kernel may have killed the decoder.
        case .decoderFailed: self.init(500, "the image cannot be decoded")
        case .overloaded where (error.underlying as? CodecError)?.underlying is DrawingBudget.UsedUp:
            self = .drawingsUsedUp
        case .overloaded: self.init(503, "too many renditions are being made")
        default: self.init(502, "the source cannot be loaded")
        }
    }

    /// Takes the error that `RenditionTransport` has thrown as this one, or creates one for an error of the cache.
    init(_ error: TransportError) {
        if let own = error.underlying as? ServerError {
            self = own
            return
        }
        switch error.code {
        case .overloaded: self.init(503, error.message)
        case .timedOut: self.init(504, error.message)
        default: self.init(502, "the rendition cannot be made")
        }
    }

    /// The same error as one of a single rendition: others of its source may be made.
    var ofOneRendition: ServerError {
        var error = self
        error.fault = nil
        return error
    }

    /// Whether the source itself is at fault, so that caches may keep the response for some seconds.
    var isLasting: Bool { [404, 422].contains(status) }

    /// The error for the HTTP cache of results, which may respond with a stale rendition instead. It contains this
    /// error.
    var transportError: TransportError {
        let code: TransportError.Code =
            switch status {
            case 403: .addressRefused
            case 503: .overloaded
            case 504: .timedOut
            default: .connectionLost
            }
        return TransportError(code, message, status: status, underlying: self)
    }
}

extension ServerError.Fault {
    fileprivate init?(_ error: ImageError) {
        switch error.code {
        case .notAnImage, .damagedImage: self = .image
        case .truncated, .bodyTooLarge, .dataIsEmpty: self = .source
        // The loader's own deadline includes the wait for a download's turn, in which no origin has been asked.
        case .timedOut where error.underlying is TransportError: self = .source
        case .badStatus where error.isRefusal && !error.asksToWait: self = .source
        default: return nil
        }
    }
}

extension ImageError {
    /// Whether the origin refuses the request for now only (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4).
    fileprivate var asksToWait: Bool { [408, 425, 429].contains(status) }

    /// Whether the source has no address to which the server may connect.
    fileprivate var isAddressRefusal: Bool { (underlying as? TransportError)?.code == .addressRefused }

    fileprivate var isRefusal: Bool { (400..<500).contains(status ?? 0) }

    /// The pause for which the origin asks, in whole seconds from 1 to 60.
    fileprivate var pause: Int {
        let seconds = (retryAfter ?? .zero) / .seconds(1)
        return Int(min(max(seconds.rounded(.up), 1), 60))
    }
}
