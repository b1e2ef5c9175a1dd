public import CalotypeBase

/// An error of decoding, processing or encoding an image.
public struct CodecError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. New codes may be added.
    public typealias Code = ErrorCode<CodecError>

    /// The kind of failure.
    public var code: Code { parts.value.code }
    /// A description in one line.
    public var message: String { parts.value.message }
    /// The error that caused this one, such as the error that a step threw. `nil` if no other error caused it.
    public var underlying: (any Error)? { parts.value.underlying }

    private let parts: ErrorParts<Parts>

    private struct Parts {
        let code: Code
        let message: String
        let underlying: (any Error)?
    }

    /// Creates an error. Custom decoders and steps throw such errors.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        parts = ErrorParts(Parts(code: code, message: message, underlying: underlying))
    }

    public var description: String { message }
}

extension ErrorCode where Failure == CodecError {
    /// No decoder recognizes the bytes.
    public static var notAnImage: Self { Self(rawValue: "notAnImage") }
    /// The file is of a known format, but damaged, truncated or without an image.
    public static var damaged: Self { Self(rawValue: "damaged") }
    /// The image exceeds a limit on pixels, frames or memory, or memory is exhausted.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// This build does not support the format, this variant of the format, or the requested operation.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// A step failed; the message names it.
    public static var stepFailed: Self { Self(rawValue: "stepFailed") }
    /// The image could not be encoded.
    public static var encodingFailed: Self { Self(rawValue: "encodingFailed") }
    /// The caller's task was cancelled.
    public static var cancelled: Self { Self(rawValue: "cancelled") }
    /// The work exceeded its time limit.
    public static var timedOut: Self { Self(rawValue: "timedOut") }
    /// The decoder process crashed, was ended because it exceeded its limit on time or memory, or could not be started.
    /// The message gives the reason.
    public static var decoderFailed: Self { Self(rawValue: "decoderFailed") }
    /// The work needs more memory than all work together may use.
    package static var memoryExceeded: Self { Self(rawValue: "memoryExceeded") }
    /// Too many decodes were waiting.
    public static var overloaded: Self { Self(rawValue: "overloaded") }
}

extension CodecError: InterruptibleFailure {
    public static let cancelled = CodecError(.cancelled, "cancelled")
    public static let timedOut = CodecError(.timedOut, "timed out")
    public static let overloaded = CodecError(.overloaded, "too many images are waiting to be decoded")
}
