public import CalotypeBase

/// An error of a transport: no response, or an incomplete one.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<TransportError>

    /// The kind of failure.
    public var code: Code { parts.value.code }
    /// A one-line description for people.
    public var message: String { parts.value.message }
    /// The HTTP status if `code` is `badStatus`.
    public var status: Int? { parts.value.status }
    /// The error of the layer below, if there is one.
    public var underlying: (any Error)? { parts.value.underlying }

    private var parts: ErrorParts<Parts>

    private struct Parts {
        let code: Code
        let message: String
        let status: Int?
        let underlying: (any Error)?
    }

    /// Creates an error, for transports.
    public init(_ code: Code, _ message: String, status: Int? = nil, underlying: (any Error)? = nil) {
        parts = ErrorParts(Parts(code: code, message: message, status: status, underlying: underlying))
    }

    public var description: String { message }

    package static func unsupportedScheme(_ scheme: String) -> TransportError {
        TransportError(.unsupportedScheme, "unsupported URL scheme \"\(scheme)\"")
    }

    package static func addressRefused(_ host: String, _ address: String) -> TransportError {
        TransportError(
            .addressRefused, "the host \(host) has the address \(address), which may not be connected to")
    }

    package static let storedBodyGone = TransportError(
        .storedBodyGone, "the stored body was removed, replaced or found damaged")

    package static func bodyTooLarge(limit: Int) -> TransportError {
        TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes")
    }
}

extension ErrorCode where Failure == TransportError {
    /// The caller was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// Connecting or the whole exchange took too long, or the server was silent or slow for too long; see the message.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The transport's queue of requests, or of name lookups, is full.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
    /// The URL is malformed or incomplete, or is a `file:` URL that names another host.
    public static var malformedURL: Self { Self(rawValue: "malformedURL") }
    /// The method, a field or the target cannot be sent in HTTP. Nothing was sent.
    public static var malformedRequest: Self { Self(rawValue: "malformedRequest") }
    /// No transport supports the URL's scheme.
    public static var unsupportedScheme: Self { Self(rawValue: "unsupportedScheme") }
    /// The host's name has no address.
    public static var cannotFindHost: Self { Self(rawValue: "cannotFindHost") }
    /// The host does not accept connections.
    public static var cannotConnect: Self { Self(rawValue: "cannotConnect") }
    /// The network is in Low Data Mode, which the request does not allow.
    public static var networkConstrained: Self { Self(rawValue: "networkConstrained") }
    /// No secure connection could be made, or the certificate is not trusted.
    public static var tlsFailed: Self { Self(rawValue: "tlsFailed") }
    /// App Transport Security, on Apple's systems, forbids plain http to this host.
    public static var insecureConnectionRefused: Self { Self(rawValue: "insecureConnectionRefused") }
    /// The connection broke before the response was complete.
    public static var connectionLost: Self { Self(rawValue: "connectionLost") }
    /// The body is shorter than announced.
    public static var truncatedBody: Self { Self(rawValue: "truncatedBody") }
    /// The body is larger than the limit.
    public static var bodyTooLarge: Self { Self(rawValue: "bodyTooLarge") }
    /// The request was redirected more often than the limit allows.
    public static var tooManyRedirects: Self { Self(rawValue: "tooManyRedirects") }
    /// A redirect leads to a forbidden target, such as `file:`.
    public static var redirectRefused: Self { Self(rawValue: "redirectRefused") }
    /// The response is not HTTP, or violates the rules of HTTP.
    public static var malformedResponse: Self { Self(rawValue: "malformedResponse") }
    /// The body does not match its Content-Encoding.
    public static var contentDecodingFailed: Self { Self(rawValue: "contentDecodingFailed") }
    /// The status is not a success. Only layers that check the status throw this error.
    public static var badStatus: Self { Self(rawValue: "badStatus") }
    /// Only a cache was allowed to answer, and it has no usable entry.
    public static var notInCache: Self { Self(rawValue: "notInCache") }
    /// There is no such file.
    public static var fileNotFound: Self { Self(rawValue: "fileNotFound") }
    /// The file cannot be read.
    public static var fileUnreadable: Self { Self(rawValue: "fileUnreadable") }
    /// Before it was read, a stored body was removed, replaced or found damaged, or a file changed. The caller repeats
    /// the request.
    package static var storedBodyGone: Self { Self(rawValue: "storedBodyGone") }
    /// The host has no address to which the transport may connect.
    package static var addressRefused: Self { Self(rawValue: "addressRefused") }
    /// Anything else; see the message and `underlying`.
    public static var other: Self { Self(rawValue: "other") }
}

extension TransportError: InterruptibleFailure {
    public static let cancelled = TransportError(.cancelled, "cancelled")
    public static let timedOut = TransportError(.timedOut, "timed out")
    public static let overloaded = TransportError(.overloaded, "too many requests are waiting")
}
