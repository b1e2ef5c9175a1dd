import CalotypeHTTP
import CalotypeHTTPCache
import Foundation
import ResourceProvider

extension ImageLoader {
    /// What a source answered.
    struct Answer {
        let data: Data
        let head: StoredHead
        let origin: ImageResponse.Origin
        var provenance: Provenance?
    }

    /// Asks the caller's own closure.
    func fetched(_ fetch: @Sendable () async throws -> Data) async throws(ImageError) -> Answer {
        do {
            return Answer(
                data: try await fetch(), head: StoredHead(url: "", status: 200, fields: [:]), origin: .source)
        } catch is CancellationError {
            throw .cancelled
        } catch let error as ImageError {
            throw error
        } catch {
            throw ImageError(.sourceFailed, "the source failed: \(error)", underlying: error)
        }
    }

    /// Sends the request through the transport. What is no success is an error.
    func exchanged(
        _ request: HTTPRequest, _ onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Answer {
        let response: HTTPResponse
        let data: Data
        let asked = options.wallClock.now
        do throws(TransportError) {
            response = try await transport.send(request)
            // A body that nobody wants is not read: letting go of it ends the transfer.
            let expected = response.contentLength
            data =
                try await isGood(response)
                ? response.body.collect(expected: expected) { received in
                    onProgress(LoadProgress(received: received, expected: expected))
                } : Data()
        } catch {
            throw ImageError(error, url: request.url)
        }
        guard isGood(response) else {
            throw ImageError(
                .badStatus, "the server answered \(response.status)", url: request.url, status: response.status)
        }
        let head = StoredHead(url: response.url.absoluteString, status: response.status, fields: response.fields)
        guard request.isWeb else { return Answer(data: data, head: head, origin: .source) }
        let outcome =
            response.cacheOutcome
            ?? options.cacheRules.outcome(
                of: response, to: request, requestTime: asked, responseTime: options.wallClock.now)
        return Answer(
            data: data, head: head, origin: ImageResponse.Origin(outcome.source), provenance: Provenance(outcome))
    }

    private func isGood(_ response: HTTPResponse) -> Bool { (200..<300).contains(response.status) }
}

extension ImageResponse.Origin {
    init(_ source: CacheOutcome.Source) {
        switch source {
        case .fresh: self = .disk
        case .revalidated: self = .revalidated
        case .stale: self = .stale
        default: self = .network
        }
    }
}
