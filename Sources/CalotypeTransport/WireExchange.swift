import CalotypeBase
import CalotypeHTTP
import Foundation

/// The interface of an exchange over the network to the task that sent its request.
protocol WireExchange: AnyObject, Sendable {
    var state: Locked<ExchangeState> { get }
    func start()
    /// Resumes the paused transfer.
    func resume()
    /// Releases what the exchange uses, and ends its transfer if that is still running.
    func close(isRunning: Bool)
}

extension WireExchange {
    /// Sends the request and returns the response once its head has arrived. Cancelling the task ends the exchange. The
    /// response's body keeps the transport alive.
    func response(to request: HTTPRequest, keeping transport: any Transport) async throws(TransportError)
        -> HTTPResponse
    {
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                if state.withLock({ $0.submit(waiter) }) {
                    start()
                } else {
                    waiter.resume(returning: .failure(.cancelled))
                }
            }
        } onCancel: {
            cancel()
        }
        let answer: ExchangeState.Answer
        do throws(TransportError) {
            answer = try result.get()
        } catch {
            settle()
            throw error
        }
        if answer.body != nil { settle() }
        return HTTPResponse(
            url: request.url, status: answer.head.status, fields: answer.head.fields, version: answer.head.version,
            body: answer.body.map { HTTPBody($0) } ?? HTTPBody(WireBody(self, keeping: transport)))
    }

    fileprivate func read(_ reader: ExchangeState.Reader) {
        guard let (result, resumesTransfer) = state.withLock({ $0.read(reader) }) else { return }
        if resumesTransfer { resume() }
        reader.resume(returning: result)
    }

    /// Releases the slot: the task has taken the last byte or the error.
    fileprivate func settle() { _ = state.withLock { $0.settle() } }

    func cancel() {
        let cancellation = state.withLock { $0.cancel() }
        close(isRunning: cancellation.endsTransfer)
        cancellation.waiter?.resume(returning: .failure(.cancelled))
        cancellation.reader?.resume(returning: .failure(.cancelled))
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
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { exchange.read($0) }
        } onCancel: {
            exchange.cancel()
        }
        if case .success(.some) = result {} else { exchange.settle() }
        return try result.get()
    }
}
