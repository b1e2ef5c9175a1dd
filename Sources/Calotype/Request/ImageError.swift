public import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
public import Foundation

/// The reason why a request failed.
///
/// One type for every layer: `code` is the kind of failure, `url` the URL of the request, `message` one line for the
/// log, `localizedDescription` a sentence for the user, and `underlying` the error of the layer below.
public struct ImageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<ImageError>

    /// The kind of failure.
    public var code: Code { parts.value.code }
    /// One line for the log, without the request's URL. Show `localizedDescription` to users of a view.
    public var message: String { parts.value.message }
    /// The URL of the request without user and password, which logs must not contain. `nil` for a custom source and for
    /// an error that concerns no request in particular.
    public var url: URL? { parts.value.url }
    /// The HTTP status, if `code` is `badStatus`.
    public var status: Int? { parts.value.status }
    /// The error of the layer below, if there is one.
    public var underlying: (any Error)? { parts.value.underlying }
    /// The pause for which the server asks before another attempt (Retry-After), if `code` is `badStatus`; otherwise `nil`.
    package internal(set) var retryAfter: Duration? {
        get { parts.value.retryAfter }
        set { parts.value.retryAfter = newValue }
    }
    /// The errors of the alternatives that were tried after the request's own source, in order.
    public internal(set) var alternativeErrors: [ImageError] {
        get { parts.value.alternativeErrors }
        set { parts.value.alternativeErrors = newValue }
    }

    private var parts: ErrorParts<Parts>

    private struct Parts {
        let code: Code
        let message: String
        let url: URL?
        let status: Int?
        let underlying: (any Error)?
        var retryAfter: Duration?
        var alternativeErrors: [ImageError] = []
    }

    /// Creates an error, for custom sources and steps that fail with one of the loader's codes.
    ///
    /// Removes users and passwords from `url`, and from the URLs in `message`.
    public init(_ code: Code, _ message: String, url: URL? = nil, status: Int? = nil, underlying: (any Error)? = nil) {
        parts = ErrorParts(
            Parts(
                code: code, message: message.withoutUserInfo, url: url?.withoutUserInfo, status: status,
                underlying: underlying))
    }

    public var description: String {
        url.map { "\($0.absoluteString): \(message)" } ?? message
    }
}

extension ErrorCode where Failure == ImageError {
    /// The caller's task or the load itself was cancelled. Not a failure.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The server exceeded a timeout or the request exceeded its deadline; see the message.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The request was not started, because too many requests wait already.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
    /// The loader was invalidated.
    public static var invalidated: Self { Self(rawValue: "invalidated") }

    /// A number in ``ImageLoaderOptions`` is out of range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The shared loader was configured after its first use, or twice; see ``ImageLoader/configureShared(_:)``.
    public static var alreadyConfigured: Self { Self(rawValue: "alreadyConfigured") }
    /// The request has no URL, or a malformed URL.
    public static var invalidURL: Self { Self(rawValue: "invalidURL") }
    /// The URL has a scheme that `ImageLoaderOptions.schemes` does not list.
    public static var unsupportedScheme: Self { Self(rawValue: "unsupportedScheme") }
    /// The host does not exist, or the connection failed or was lost.
    public static var connectionFailed: Self { Self(rawValue: "connectionFailed") }
    /// The network is constrained (Low Data Mode), which the request does not allow. Its `lowDataSource` failed too.
    public static var networkConstrained: Self { Self(rawValue: "networkConstrained") }
    /// No secure connection to the server could be made, or its certificate is not trusted.
    public static var tlsFailed: Self { Self(rawValue: "tlsFailed") }
    /// Apple's App Transport Security blocks plain http to this host. Use https, or allow the host in the Info.plist.
    public static var insecureConnectionRefused: Self { Self(rawValue: "insecureConnectionRefused") }
    /// A status that the request does not accept, by default one outside 200–299; see `status`.
    public static var badStatus: Self { Self(rawValue: "badStatus") }
    /// There were too many redirects, or a redirect to an unsupported or refused URL.
    public static var redirectFailed: Self { Self(rawValue: "redirectFailed") }
    /// The response is not HTTP, violates its rules, or has a content coding that cannot be decoded.
    public static var malformedResponse: Self { Self(rawValue: "malformedResponse") }
    /// The body is shorter than announced.
    public static var truncated: Self { Self(rawValue: "truncated") }
    /// The body exceeds `ImageLoaderOptions.bodyLimit`.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// The response is successful but empty.
    public static var dataIsEmpty: Self { Self(rawValue: "dataIsEmpty") }
    /// The file of a `file:` URL does not exist or cannot be read.
    public static var fileUnreadable: Self { Self(rawValue: "fileUnreadable") }
    /// The file for an original cannot be written; see the message.
    public static var fileUnwritable: Self { Self(rawValue: "fileUnwritable") }
    /// The cache has no matching response or has lost its body, and the request does not allow the network.
    public static var notInCache: Self { Self(rawValue: "notInCache") }
    /// `ImageLoaderOptions.prepare` threw; see `underlying`.
    public static var preparationFailed: Self { Self(rawValue: "preparationFailed") }
    /// A custom source threw; see `underlying`.
    public static var sourceFailed: Self { Self(rawValue: "sourceFailed") }

    /// The bytes have no known format; an HTML page, for example.
    public static var notAnImage: Self { Self(rawValue: "notAnImage") }
    /// The format is known, but the data is damaged or truncated.
    public static var damagedImage: Self { Self(rawValue: "damagedImage") }
    /// The image exceeds the limits on pixels or memory.
    public static var imageTooLarge: Self { Self(rawValue: "imageTooLarge") }
    /// The request needs more memory than all requests together may use.
    package static var memoryExceeded: Self { Self(rawValue: "memoryExceeded") }
    /// The separate process for decoding did not start, exited, or exceeded a limit on time or memory.
    public static var decoderFailed: Self { Self(rawValue: "decoderFailed") }
    /// The bytes are an image in a format or variant that no decoder reads.
    public static var unsupportedImage: Self { Self(rawValue: "unsupportedImage") }
    /// A step failed; the message names it.
    public static var stepFailed: Self { Self(rawValue: "stepFailed") }
    /// The image could not be encoded, for example because a side has too many pixels for the format.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
    /// The original that an image was to be made of was removed or replaced: load it again.
    public static var superseded: Self { Self(rawValue: "superseded") }
    /// Any other failure; see the message and `underlying`.
    public static var other: Self { Self(rawValue: "other") }
}

extension ImageError: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && ByteString(left.message) == ByteString(right.message) && left.url == right.url
            && left.status == right.status
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(ByteString(message))
        hasher.combine(url)
        hasher.combine(status)
    }
}

extension ImageError: InterruptibleFailure {
    public static let cancelled = ImageError(.cancelled, "cancelled")
    public static let timedOut = ImageError(.timedOut, "timed out")
    public static let overloaded = ImageError(.overloaded, "too many requests are waiting")
    static let invalidated = ImageError(.invalidated, "the loader was invalidated")
    static func superseded(_ url: URL?) -> ImageError {
        ImageError(.superseded, "the original was removed or replaced meanwhile", url: url)
    }
}

extension ImageError {
    /// Whether a stored body disappeared before it was read. Another attempt may find or load a new body.
    var isLostBody: Bool { (underlying as? TransportError)?.code == .storedBodyGone }
}

extension ImageError {
    init(_ error: TransportError, url: URL?) {
        if let own = error.underlying as? ImageError {
            self = own
            return
        }
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            case .malformedURL: .invalidURL
            case .unsupportedScheme: .unsupportedScheme
            case .cannotFindHost, .cannotConnect, .connectionLost: .connectionFailed
            case .networkConstrained: .networkConstrained
            case .tlsFailed: .tlsFailed
            case .insecureConnectionRefused: .insecureConnectionRefused
            case .truncatedBody: .truncated
            case .bodyTooLarge: .bodyTooLarge
            case .tooManyRedirects, .redirectRefused: .redirectFailed
            case .malformedResponse, .contentDecodingFailed: .malformedResponse
            case .fileNotFound, .fileUnreadable: .fileUnreadable
            case .notInCache, .storedBodyGone: .notInCache
            default: .other
            }
        self.init(code, error.message, url: url, underlying: error)
    }

    package init(_ error: CodecError, url: URL?) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            case .notAnImage: .notAnImage
            case .damaged: .damagedImage
            case .tooLarge: .imageTooLarge
            case .memoryExceeded: .memoryExceeded
            case .unsupported: .unsupportedImage
            case .stepFailed: .stepFailed
            case .encodingFailed: .encodingFailed
            case .decoderFailed: .decoderFailed
            default: .other
            }
        self.init(code, error.message, url: url, underlying: error)
    }
}
