import CalotypeHTTP
import Foundation

/// The interface of an exchange over the network to the task that sent its request.
protocol WireExchange: AnyObject, Sendable {
    /// Starts the exchange, and resumes the waiter with the head or an error.
    func start(_ waiter: ExchangeState.HeadWaiter)
    /// Resumes the reader with the next chunk of the body, its end or an error.
    func read(_ reader: ExchangeState.Reader)
    /// Ends the exchange and resumes a waiter or reader with `cancelled`.
    func cancel()
}

extension WireExchange {
    /// Sends the request and returns the response once its head has arrived. Cancelling the task ends the exchange. The
    /// response's body keeps the transport alive.
    func response(to request: HTTPRequest, keeping transport: any Transport) async throws(TransportError)
        -> HTTPResponse
    {
        let answer = try await withTaskCancellationHandler {
            await withUnsafeContinuation { start($0) }
        } onCancel: {
            cancel()
        }.get()
        return HTTPResponse(
            url: request.url, status: answer.head.status, fields: answer.head.fields, version: answer.head.version,
            body: answer.body.map { HTTPBody($0) } ?? HTTPBody(WireBody(self, keeping: transport)))
    }
}

/// A body whose reader requests each chunk from the exchange. Releasing the body unread ends the exchange.
private final class WireBody: HTTPBodySource {
    private let exchange: any WireExchange
    private let transport: any Transport

    init(_ exchange: any WireExchange, keeping transport: any Transport) {
        self.exchange = exchange
        self.transport = transport
    }

    deinit { exchange.cancel() }

    func next() async throws(TransportError) -> Data? {
        let exchange = exchange
        return try await withTaskCancellationHandler {
            await withUnsafeContinuation { exchange.read($0) }
        } onCancel: {
            exchange.cancel()
        }.get()
    }
}
