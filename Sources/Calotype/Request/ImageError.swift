import CalotypeCodecs
public import CalotypeConcurrency
import CalotypeHTTP
public import Foundation
import ResourceProvider

/// Why there is no image.
///
/// One type for every layer: what failed is in `code`, what it was about in `url`, one line for the log in `message`,
/// a sentence for people in `localizedDescription`, and the error of the layer below in `underlying`.
public struct ImageError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// The caller's task, or the fetch itself, was cancelled. Never means that something failed.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The server sent nothing for longer than a timeout allows.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Too much is waiting already; nothing was started.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The loader was invalidated.
        public static let invalidated = Code(rawValue: "invalidated")

        /// The request has no URL, or one that cannot be sent.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// The URL has a scheme that `ImageLoaderOptions.schemes` does not list.
        public static let unsupportedScheme = Code(rawValue: "unsupportedScheme")
        /// No such host, no connection, or the connection broke.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The network is one on which the user saves data, and the request has a low-data source, which failed too.
        public static let networkConstrained = Code(rawValue: "networkConstrained")
        /// No secure connection to the server could be made, or its certificate is not trusted.
        public static let tlsFailed = Code(rawValue: "tlsFailed")
        /// A status outside 200–299; see `status`.
        public static let badStatus = Code(rawValue: "badStatus")
        /// Too many redirects, or one to a place we do not go.
        public static let redirectFailed = Code(rawValue: "redirectFailed")
        /// The response is not HTTP, or breaks its rules.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// Fewer bytes came than were announced.
        public static let truncated = Code(rawValue: "truncated")
        /// More bytes than the limit on bodies.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// A good status, and nothing else.
        public static let dataIsEmpty = Code(rawValue: "dataIsEmpty")
        /// `file:` only: no such file, or not to be read.
        public static let fileUnreadable = Code(rawValue: "fileUnreadable")
        /// The cache alone was asked, and has nothing.
        public static let notInCache = Code(rawValue: "notInCache")
        /// `ImageLoaderOptions.prepare` threw; see `underlying`.
        public static let preparationFailed = Code(rawValue: "preparationFailed")
        /// A custom source threw; see `underlying`.
        public static let sourceFailed = Code(rawValue: "sourceFailed")

        /// The bytes are of no known format: an HTML page, say.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// A known format, but broken or cut short.
        public static let damagedImage = Code(rawValue: "damagedImage")
        /// More pixels or memory than the limits allow.
        public static let imageTooLarge = Code(rawValue: "imageTooLarge")
        /// The bytes are an image in a format or variant that no decoder reads.
        public static let unsupportedImage = Code(rawValue: "unsupportedImage")
        /// A step failed; the message names it.
        public static let stepFailed = Code(rawValue: "stepFailed")
        /// The format cannot hold the image: it has too many pixels a side, say.
        public static let encodingFailed = Code(rawValue: "encodingFailed")
        /// Anything else; see the message and `underlying`.
        public static let other = Code(rawValue: "other")
    }

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
