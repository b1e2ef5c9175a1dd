import CalotypeHTTP

extension Transport {
    /// Counts the status of each response of an origin, and each failure.
    func counted(in metrics: ServerMetrics) -> some Transport { CountedOrigin(base: self, metrics: metrics) }
}

private struct CountedOrigin<Base: Transport>: Transport {
    let base: Base
    let metrics: ServerMetrics

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do throws(TransportError) {
            let response = try await base.send(request)
            metrics.originAnswered(response.status)
            return response
        } catch {
            // A client that has left is no fault of the origin.
            if error.code != .cancelled { metrics.originFailed(error.code.rawValue) }
            throw error
        }
    }
}
