import CalotypeHTTP
import CalotypeHTTPCache

/// A body that broke off. Its bytes stay in memory until an exchange brings the rest, and count in the budget of all bodies
/// that arrive.
struct BrokenBody: Sendable {
    let interrupted: InterruptedResponse
    let received: ReceivedBody

    /// Returns `nil` if the rest cannot be requested, if the budget has no room for the bytes, or if an HTTP cache stores
    /// the body: the cache completes its own part.
    init?(
        _ received: ReceivedBody, of response: HTTPResponse, to request: HTTPRequest, requestTime: Double,
        under rules: CacheRules
    ) {
        guard !response.isInCache || request.storeDecision.map({ $0.extent < .whole }) ?? false,
            let interrupted = InterruptedResponse(
                response, to: request, received: received.arrival.count, requestTime: requestTime, under: rules),
            received.reservation.hold()
        else { return nil }
        self.interrupted = interrupted
        self.received = ReceivedBody(
            arrival: received.arrival, reservation: received.reservation, length: interrupted.length)
    }

    func requestingRest(of request: HTTPRequest) -> HTTPRequest {
        var request = request
        for field in interrupted.conditions { request.fields[field.name] = field.value }
        return request
    }

    func readOn() { received.reservation.readOn() }

    func drop() { received.drop() }
}

extension HTTPResponse {
    /// Whether an HTTP cache stores the response, or another request's exchange brings it.
    fileprivate var isInCache: Bool {
        cacheOutcome?.status.map { $0.stored || $0.hit || $0.collapsed } ?? false
    }
}
