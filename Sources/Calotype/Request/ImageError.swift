public import CalotypeBase
import CalotypeCodecs
import CalotypeHTTP
public import Foundation

/// Why there is no image.
///
/// One type for every layer: what failed is in `code`, what it was about in `url`, one line for the log in `message`,
/// a sentence for people in `localizedDescription`, and the error of the layer below in `underlying`.
public struct ImageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<ImageError>

    /// The kind of failure.
    public let code: Code
    /// One line for the log, without the URL. For a person who looks at a view, use `localizedDescription`.
    public let message: String
    /// The URL that was asked for; nil for a custom source, and where the error is about no request in particular.
    public let url: URL?
    /// The HTTP status where `code` is `badStatus`.
    public let status: Int?
    /// The error of the layer below, if there is one.
    public let underlying: (any Error)?
    /// The errors of the alternatives that were tried after the request's own source, in order.
    public internal(set) var alternativeErrors: [ImageError] = []

    /// Creates an error, for sources and steps that fail in the loader's terms.
    public init(_ code: Code, _ message: String, url: URL? = nil, status: Int? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.status = status
        self.underlying = underlying
    }

    public var description: String {
        url.map { "\($0.absoluteString): \(message)" } ?? message
    }
}

extension ErrorCode where Failure == ImageError {
    /// The caller's task, or the fetch itself, was cancelled. Never means that something failed.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The server took longer than a timeout allows, or the request longer than its deadline; the message says which.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// Too much is waiting already; nothing was started.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
    /// The loader was invalidated.
    public static var invalidated: Self { Self(rawValue: "invalidated") }

    /// A number of ``ImageLoaderOptions`` is out of its range.
    public static var invalidOption: Self { Self(rawValue: "invalidOption") }
    /// The request has no URL, or one that cannot be sent.
    public static var invalidURL: Self { Self(rawValue: "invalidURL") }
    /// The URL has a scheme that `ImageLoaderOptions.schemes` does not list.
    public static var unsupportedScheme: Self { Self(rawValue: "unsupportedScheme") }
    /// No such host, no connection, or the connection broke.
    public static var connectionFailed: Self { Self(rawValue: "connectionFailed") }
    /// The network is one on which the user saves data, and the request has a low-data source, which failed too.
    public static var networkConstrained: Self { Self(rawValue: "networkConstrained") }
    /// No secure connection to the server could be made, or its certificate is not trusted.
    public static var tlsFailed: Self { Self(rawValue: "tlsFailed") }
    /// The system loads nothing over plain http from this host: App Transport Security, of Apple's systems. Use https, or allow
    /// the host in the application's Info.plist.
    public static var insecureConnectionRefused: Self { Self(rawValue: "insecureConnectionRefused") }
    /// A status outside 200–299; see `status`.
    public static var badStatus: Self { Self(rawValue: "badStatus") }
    /// Too many redirects, or one to a place we do not go.
    public static var redirectFailed: Self { Self(rawValue: "redirectFailed") }
    /// The response is not HTTP, or breaks its rules.
    public static var malformedResponse: Self { Self(rawValue: "malformedResponse") }
    /// Fewer bytes came than were announced.
    public static var truncated: Self { Self(rawValue: "truncated") }
    /// More bytes than the limit on bodies.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// A good status, and nothing else.
    public static var dataIsEmpty: Self { Self(rawValue: "dataIsEmpty") }
    /// `file:` only: no such file, or not to be read.
    public static var fileUnreadable: Self { Self(rawValue: "fileUnreadable") }
    /// The cache alone was asked, and has nothing.
    public static var notInCache: Self { Self(rawValue: "notInCache") }
    /// `ImageLoaderOptions.prepare` threw; see `underlying`.
    public static var preparationFailed: Self { Self(rawValue: "preparationFailed") }
    /// A custom source threw; see `underlying`.
    public static var sourceFailed: Self { Self(rawValue: "sourceFailed") }

    /// The bytes are of no known format: an HTML page, say.
    public static var notAnImage: Self { Self(rawValue: "notAnImage") }
    /// A known format, but broken or cut short.
    public static var damagedImage: Self { Self(rawValue: "damagedImage") }
    /// More pixels or memory than the limits allow.
    public static var imageTooLarge: Self { Self(rawValue: "imageTooLarge") }
    /// The bytes are an image in a format or variant that no decoder reads.
    public static var unsupportedImage: Self { Self(rawValue: "unsupportedImage") }
    /// A step failed; the message names it.
    public static var stepFailed: Self { Self(rawValue: "stepFailed") }
    /// The format cannot hold the image: it has too many pixels a side, say.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
    /// Anything else; see the message and `underlying`.
    public static var other: Self { Self(rawValue: "other") }
}

/// Equal where they say the same: the code, the words, the URL and the status.
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
    public static let overloaded = ImageError(.overloaded, "too much is waiting already")
    static let invalidated = ImageError(.invalidated, "the loader was invalidated")
}

extension ImageError {
    /// A stored body was gone when it was to be read: what is stored by now, or loaded, may do.
    var isLostBody: Bool { (underlying as? TransportError)?.code == .storedBodyGone }
}

// Each layer's error is translated here and nowhere else.
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

    init(_ error: CodecError, url: URL?) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .overloaded: .overloaded
            case .notAnImage: .notAnImage
            case .damaged: .damagedImage
            case .tooLarge: .imageTooLarge
            case .unsupported: .unsupportedImage
            case .stepFailed: .stepFailed
            case .encodingFailed: .encodingFailed
            default: .other
            }
        self.init(code, error.message, url: url, underlying: error)
    }
}
