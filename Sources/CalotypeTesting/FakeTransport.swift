public import CalotypeHTTP
public import Foundation

/// A transport that a test answers itself, without a network.
///
/// ```swift
/// let transport = FakeTransport { request throws(TransportError) in
///     if request.url.path == "/gone" { throw TransportError(.cannotConnect, "nobody there") }
///     return HTTPResponse(url: request.url, status: 200, body: HTTPBody(photo))
/// }
/// ```
///
/// To hold an answer back, wait at a ``Gate`` inside the closure. What HTTP really does is better proven against
/// ``OriginServer``.
public final class FakeTransport: Transport {
    /// Answers a request with a response or an error.
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

    /// Creates a transport that answers every request with the closure.
    public init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Gives the same answer to every request.
    public convenience init(status: Int = 200, fields: HTTPFields = [:], body: Data) {
        self.init { request in
            HTTPResponse(url: request.url, status: status, fields: fields, body: HTTPBody(body))
        }
    }

    /// Fails every request.
    public convenience init(failing error: TransportError) {
        self.init { _ throws(TransportError) in throw error }
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        begin(request)
        defer { end(wasCancelled: Task.isCancelled) }
        return try await answer(request)
    }

    /// The requests in order of arrival: the first 100,000.
    public var requests: [HTTPRequest] { state.read(\.requests) }

    /// How many requests came, those beyond the log included.
    public var requestCount: Int { state.read(\.count) }

    /// How many requests are being answered now.
    public var inFlight: Int { state.read(\.inFlight) }

    /// The most requests that were being answered at the same time.
    public var peakConcurrency: Int { state.read(\.peak) }

    /// How many requests had been cancelled when their answer was ready or given up.
    public var cancelledCount: Int { state.read(\.cancelled) }

    /// Suspends until so many requests have come. Returns early when the task is cancelled.
    public func waitForRequests(_ count: Int) async {
        await state.wait { $0.count >= count }
    }

    /// Suspends until so many requests were cancelled. Returns early when the task is cancelled.
    public func waitForCancellations(_ count: Int) async {
        await state.wait { $0.cancelled >= count }
    }

    private func begin(_ request: HTTPRequest) {
        state.update { state in
            state.count += 1
            if state.requests.count < Self.logLimit { state.requests.append(request) }
            state.inFlight += 1
            state.peak = max(state.peak, state.inFlight)
        }
    }

    private func end(wasCancelled: Bool) {
        state.update { state in
            state.inFlight -= 1
            if wasCancelled { state.cancelled += 1 }
        }
    }
}
