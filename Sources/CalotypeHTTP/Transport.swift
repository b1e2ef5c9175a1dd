/// A client for one exchange: it sends a request and returns the head of the final response; the body is read later.
///
/// A transport does not follow redirects, decode content codings, retry or judge the status, because a cache may sit
/// directly above it. Layers, which are transports as well, add these steps.
///
/// Cancelling the task ends the exchange at once. `DynamicPriority.current` determines the position in the queue.
public protocol Transport: Sendable {
    /// Sends a request and returns as soon as the head of its response has arrived, with any final status.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}
