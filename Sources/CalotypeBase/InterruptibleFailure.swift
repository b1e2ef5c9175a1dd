/// An error type with values for interrupted work.
///
/// `coordinated`, `limited`, `timeout` and `BlockingPool` throw these errors if the caller's task is cancelled, a time
/// limit passes or a queue is full. Cancellation is a separate case, so that callers do not mistake it for a failure.
public protocol InterruptibleFailure: Error {
    /// The caller's task was cancelled.
    static var cancelled: Self { get }
    /// The time limit was exceeded.
    static var timedOut: Self { get }
    /// The queue for the work was full.
    static var overloaded: Self { get }
}

/// An interruption, for work whose error type is `any Error`.
public struct Interruption: InterruptibleFailure, Hashable, CustomStringConvertible {
    package enum Kind: Sendable { case cancelled, timedOut, overloaded }

    package let kind: Kind

    public static let cancelled = Interruption(kind: .cancelled)
    public static let timedOut = Interruption(kind: .timedOut)
    public static let overloaded = Interruption(kind: .overloaded)

    public var description: String {
        switch kind {
        case .cancelled: "cancelled"
        case .timedOut: "timed out"
        case .overloaded: "too much work is waiting"
        }
    }
}
