public import CalotypeHTTP
public import Foundation

/// A transport whose responses come from the test, without a network.
///
/// ```swift
/// let transport = FakeTransport { request throws(TransportError) in
///     if request.url.path == "/gone" { throw TransportError(.cannotConnect, "connection refused") }
///     return HTTPResponse(url: request.url, status: 200, body: HTTPBody(photo))
/// }
/// ```
///
/// To delay a response, wait at a ``Gate`` inside the closure. To test HTTP itself, use an ``OriginServer``.
public final class FakeTransport: Transport {
    /// Returns a response to a request, or throws an error.
    public typealias Answer = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

    private struct State {
        var requests: [HTTPRequest] = []
        var count = 0
        var inFlight = 0
        var peak = 0
        var cancelled = 0
    }

    private static let logLimit = 100_000

    private let answer: Answer
    private let state = Watched(State())

    /// Creates a transport that calls `answer` for every request.
    public init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Creates a transport that returns the same response to every request.
    public convenience init(status: Int = 200, fields: HTTPFields = [:], body: Data) {
        self.init { request in
            HTTPResponse(url: request.url, status: status, fields: fields, body: HTTPBody(body))
        }
    }

    /// Creates a transport that fails every request.
    public convenience init(failing error: TransportError) {
        self.init { _ throws(TransportError) in throw error }
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        state.update { state in
            state.count += 1
            if state.requests.count < Self.logLimit { state.requests.append(request) }
            state.inFlight += 1
            state.peak = max(state.peak, state.inFlight)
        }
        defer {
            state.update { state in
                state.inFlight -= 1
                if Task.isCancelled { state.cancelled += 1 }
            }
        }
        return try await answer(request)
    }

    /// The first 100,000 requests in order of arrival.
    public var requests: [HTTPRequest] { state.read(\.requests) }

    /// The number of requests, including those after the first 100,000.
    public var requestCount: Int { state.read(\.count) }

    /// The number of requests in flight.
    public var inFlight: Int { state.read(\.inFlight) }

    /// The largest number of requests in flight at the same time.
    public var peakConcurrency: Int { state.read(\.peak) }

    /// The number of requests whose task was cancelled before the closure returned or threw.
    public var cancelledCount: Int { state.read(\.cancelled) }

    /// Suspends until `count` requests have arrived. Returns early if the task is cancelled.
    public func waitForRequests(_ count: Int) async {
        await state.wait { $0.count >= count }
    }

    /// Suspends until `count` requests have been cancelled. Returns early if the calling task is cancelled.
    public func waitForCancellations(_ count: Int) async {
        await state.wait { $0.cancelled >= count }
    }
}
