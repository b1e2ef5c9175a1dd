public import CalotypeConcurrency

/// Why bytes did not become an image, or an image bytes.
public struct CodecError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// No decoder knows these bytes.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// A known format, but broken, cut short or without an image.
        public static let damaged = Code(rawValue: "damaged")
        /// More pixels, or more memory, than allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A known format in a variant that is not supported.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A step failed; the message names it.
        public static let stepFailed = Code(rawValue: "stepFailed")
        /// The image could not be encoded.
        public static let encodingFailed = Code(rawValue: "encodingFailed")
        /// The caller was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The work took longer than it may.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Too many decodes were waiting.
        public static let overloaded = Code(rawValue: "overloaded")
    }

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

extension CodecError: InterruptibleFailure {
    public static let cancelled = CodecError(.cancelled, "cancelled")
    public static let timedOut = CodecError(.timedOut, "timed out")
    public static let overloaded = CodecError(.overloaded, "too many pictures are waiting to be decoded")
}
