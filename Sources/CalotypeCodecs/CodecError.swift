public import CalotypeBase

/// Why bytes did not become an image, or an image bytes.
public struct CodecError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public typealias Code = ErrorCode<CodecError>

    /// The kind of failure.
    public let code: Code
    /// One line for people.
    public let message: String
    /// The error that a user's step threw, if that is the reason.
    public let underlying: (any Error)?

    /// Creates an error, for decoders and steps.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    public var description: String { message }
}

extension ErrorCode where Failure == CodecError {
    /// No decoder knows these bytes.
    public static var notAnImage: Self { Self(rawValue: "notAnImage") }
    /// A known format, but broken, cut short or without an image.
    public static var damaged: Self { Self(rawValue: "damaged") }
    /// More pixels, or more memory, than allowed.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// A known format in a variant that is not supported.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// A step failed; the message names it.
    public static var stepFailed: Self { Self(rawValue: "stepFailed") }
    /// The image could not be encoded.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
    /// The caller was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The work took longer than it may.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// Too many decodes were waiting.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
}

extension CodecError: InterruptibleFailure {
    public static let cancelled = CodecError(.cancelled, "cancelled")
    public static let timedOut = CodecError(.timedOut, "timed out")
    public static let overloaded = CodecError(.overloaded, "too many images are waiting to be decoded")
}
