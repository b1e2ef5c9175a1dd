import CalotypeBase
package import CalotypeHTTP

extension Transport {
    /// Limits each exchange to the time until the deadline of its request, if it has one.
    ///
    /// Apply it below `followingRedirects()` and `retried()`: each further exchange then has the time that the earlier
    /// ones have left. The time in the transport's own queue does not count, so an exchange that waits there ends later.
    package func endingAtDeadline() -> some Transport { DeadlineTransport(base: self) }
}

private struct DeadlineTransport<Base: Transport>: Transport {
    let base: Base

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard let deadline = request.deadline else { return try await base.send(request) }
        let left = deadline.left
        guard left > .zero else {
            throw TransportError(.timedOut, "the exchanges of the request did not finish within \(deadline.limit.text)")
        }
        var request = request
        request.timeouts.total = min(request.timeouts.total ?? left, left)
        return try await base.send(request)
    }
}
