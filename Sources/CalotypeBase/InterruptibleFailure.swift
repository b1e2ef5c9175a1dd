/// An error type with words for work that was ended from outside.
///
/// `coordinated`, `limited`, `timeout` and `BlockingPool` need something to throw when a waiter leaves, when time is up
/// and when a queue is full. Cancellation is a case of its own, so that nobody mistakes it for a failure.
public protocol InterruptibleFailure: Error {
    /// The caller's task was cancelled.
    static var cancelled: Self { get }
    /// The time allowed was over.
    static var timedOut: Self { get }
    /// The queue in front of the work was full.
    static var overloaded: Self { get }
}

/// The interruption of work whose error type is `any Error`.
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
