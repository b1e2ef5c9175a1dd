/// Carries one exchange: a request goes out, the head of the final response comes back, its body follows.
///
/// What a transport does not do, because a cache may stand above it: follow redirects, undo content codings, try again,
/// or judge the status. Layers with this same protocol add that.
///
/// Cancelling the task ends the exchange at once. The place in a transport's queue follows `DynamicPriority.current`.
public protocol Transport: Sendable {
    /// - Returns: as soon as the head is there, with any final status.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
