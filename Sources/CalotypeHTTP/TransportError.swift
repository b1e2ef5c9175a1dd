public import CalotypeConcurrency

/// Why there is no response, or not all of it.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// The caller was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Connecting, an idle connection, or the whole took too long; the message says which.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The transport's queue is full.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The URL cannot be sent.
        public static let malformedURL = Code(rawValue: "malformedURL")
        /// A method, field or target that cannot be written on the wire. Nothing was sent.
        public static let malformedRequest = Code(rawValue: "malformedRequest")
        /// No transport answers the URL's scheme.
        public static let unsupportedScheme = Code(rawValue: "unsupportedScheme")
        /// The host's name has no address.
        public static let cannotFindHost = Code(rawValue: "cannotFindHost")
        /// The host does not accept connections.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The network is one on which the user saves data, and the request does not allow it.
        public static let networkConstrained = Code(rawValue: "networkConstrained")
        /// No secure connection could be made, or the certificate is not trusted.
        public static let tlsFailed = Code(rawValue: "tlsFailed")
        /// The connection broke before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// Fewer bytes came than the response announced.
        public static let truncatedBody = Code(rawValue: "truncatedBody")
        /// The body is larger than the limit.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The response redirects more often than the limit.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// A redirect to somewhere we do not go, such as `file:`.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The response is not HTTP, or breaks its rules.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The body is not what Content-Encoding announces.
        public static let contentDecodingFailed = Code(rawValue: "contentDecodingFailed")
        /// The exchange went well, and the answer is no success. Transports never say so, only what judges their answers.
        public static let badStatus = Code(rawValue: "badStatus")
        /// Only a cache was allowed to answer, and it has no answer.
        public static let notInCache = Code(rawValue: "notInCache")
        /// There is no such file.
        public static let fileNotFound = Code(rawValue: "fileNotFound")
        /// The file cannot be read.
        public static let fileUnreadable = Code(rawValue: "fileUnreadable")
        /// A stored body was removed, replaced or found damaged between its head and its reading. Ask again.
        package static let storedBodyGone = Code(rawValue: "storedBodyGone")
        /// Anything else; see the message and `underlying`.
        public static let other = Code(rawValue: "other")
    }

    /// The kind of failure.
    public let code: Code
    /// One line for people, without the URL.
    public let message: String
    /// The error of the layer below, if there is one.
    public let underlying: (any Error)?

    /// Creates an error, for transports.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    public var description: String { message }

    package static func unsupportedScheme(_ scheme: String) -> TransportError {
        TransportError(.unsupportedScheme, "nothing here loads \"\(scheme):\"")
    }

    package static let storedBodyGone = TransportError(
        .storedBodyGone, "the stored body was gone when it was to be read")

    package static func bodyTooLarge(limit: Int) -> TransportError {
        TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes")
    }
}

extension TransportError: InterruptibleFailure {
    public static let cancelled = TransportError(.cancelled, "cancelled")
    public static let timedOut = TransportError(.timedOut, "timed out")
    public static let overloaded = TransportError(.overloaded, "too many requests are waiting")
}
