import CalotypeHTTP
import CalotypeTransport
import Foundation

/// The way to the origins: the one place where the cache is mounted.
struct ProxyUpstream: Sendable {
    /// 60 s of silence are the origin's failure, as long as clients wait by habit.
    static let timeouts = HTTPRequest.Timeouts(connect: .seconds(10), idle: .seconds(60))

    private let transport: any Transport

    init(_ options: ProxyOptions, console: Console) {
        transport = CurlTransport(options: options.curlOptions)
    }

    init(transport: some Transport) {
        self.transport = transport
    }

    /// A fresh answer that is at hand, without waiting for anything.
    func immediateAnswer(to request: HTTPRequest) -> HTTPResponse? { nil }

    /// - Parameter observer: told of interim responses.
    func send(
        _ request: HTTPRequest, _ observer: @escaping InterimResponses.Observer
    ) async throws(TransportError) -> HTTPResponse {
        let outcome = await InterimResponses.$observer.withValue(observer) {
            () async -> Result<HTTPResponse, TransportError> in
            do throws(TransportError) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Bytes on disk; nil without a store.
    func storeSize() async -> Int? { nil }

    /// Writes what waits to be written.
    func close() async {}
}
