import CalotypeHTTP
import Foundation

extension ImageLoader {
    typealias Answer = (data: Data, head: StoredHead, origin: ImageResponse.Origin)

    /// Asks the source itself: the transport, or the caller's own closure.
    func answer(
        of source: ImageSource, onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Answer {
        switch source.kind {
        case .http(let request): try await exchanged(request, isLocal: source.isLocal, onProgress)
        case .custom(_, let fetch): try await fetched(fetch)
        case .nowhere: throw ImageError(.invalidURL, "the request has no URL")
        }
    }

    private func exchanged(
        _ request: HTTPRequest, isLocal: Bool, _ onProgress: @escaping @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> Answer {
        let response: HTTPResponse
        let data: Data
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
        return (data, head, isLocal ? .source : .network)
    }

    private func isGood(_ response: HTTPResponse) -> Bool { (200..<300).contains(response.status) }

    private func fetched(_ fetch: @Sendable () async throws -> Data) async throws(ImageError) -> Answer {
        do {
            return (try await fetch(), StoredHead(url: "", status: 200, fields: [:]), .source)
        } catch is CancellationError {
            throw .cancelled
        } catch let error as ImageError {
            throw error
        } catch {
            throw ImageError(.sourceFailed, "the source failed: \(error)", underlying: error)
        }
    }
}
