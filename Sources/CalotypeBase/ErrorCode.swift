/// The kind of a failure, identified by a stable name. New kinds may be added.
///
/// Each error type has its own codes: `ImageError.Code`, `TransportError.Code` and so on.
public struct ErrorCode<Failure>: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, such as "timedOut".
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
}
