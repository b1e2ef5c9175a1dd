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
        } catch let error as ImageError where error.code != .cancelled {
            throw error
        } catch {
            // Without it, the source has cancelled something that callers know nothing of.
            if Task.isCancelled { throw .cancelled }
            throw ImageError(.sourceFailed, "the source failed: \(error)", underlying: error)
        }
    }

    /// Sends the request through the transport. What is no success is an error.
    ///
    /// A body that breaks off is asked for again; what the cache kept of it is not loaded twice (RFC 9111 §3.4).
    ///
    /// - Parameter resumptions: how often. Heads that fail are the transport's to try again.
    func exchanged(
        _ request: HTTPRequest, resumptions: Int = 0, _ onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Answer {
        let asked = options.wallClock.now
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request)
        } catch {
            throw ImageError(error, url: request.url)
        }
        // A body that nobody wants is not read: letting go of it ends the transfer.
        guard isGood(response) else {
            throw ImageError(
                .badStatus, "the server answered \(response.status)", url: request.url, status: response.status)
        }
        if response.status == 206, request.fields["Range"] == nil {
            throw ImageError(
                .malformedResponse, "the server sent a part of what was asked for as a whole", url: request.url)
        }
        let data: Data
        let expected = response.contentLength
        do throws(TransportError) {
            data = try await response.body.collect(expected: expected) { received in
                onProgress(LoadProgress(received: received, expected: expected))
            }
        } catch {
            guard resumptions > 0, error.isBreak, request.method == .get else {
                throw ImageError(error, url: request.url)
            }
            return try await exchanged(request, resumptions: resumptions - 1, onProgress)
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

extension TransportError {
    /// The connection ended before the body did.
    fileprivate var isBreak: Bool { code == .connectionLost || code == .truncatedBody }
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
