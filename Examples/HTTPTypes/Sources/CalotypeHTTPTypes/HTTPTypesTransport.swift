public import CalotypeHTTPCache
public import Foundation
public import HTTPTypes

/// A transport over a client whose requests and responses are those of HTTPTypes.
///
/// ```swift
/// let transport = HTTPTypesTransport { request, body in try await client.send(request, body) }
/// let cached = transport.cached(in: HTTPCache(rules: .private))
/// ```
///
/// The client must have no cache, follow no redirect, and leave content codings alone.
public struct HTTPTypesTransport: Transport {
    /// Sends a request with its content, if it has any, and returns the response's head and its body.
    public typealias Client =
        @Sendable (HTTPTypes.HTTPRequest, Data?) async throws -> (HTTPTypes.HTTPResponse, HTTPBody)

    private let client: Client

    /// Creates a transport over a client. An error of the client is one of the connection: the cache may then serve a stale
    /// response. A `TransportError` keeps its code.
    public init(_ client: @escaping Client) {
        self.client = client
    }

    public func send(
        _ request: CalotypeHTTP.HTTPRequest
    ) async throws(TransportError) -> CalotypeHTTP.HTTPResponse {
        let sent = try HTTPTypes.HTTPRequest(request)
        do {
            let (head, body) = try await client(sent, request.body)
            return CalotypeHTTP.HTTPResponse(
                url: request.url, status: head.status.code, fields: CalotypeHTTP.HTTPFields(head.headerFields),
                body: body)
        } catch {
            throw TransportError(wrapping: error)
        }
    }
}

extension HTTPBody {
    /// Creates a body from a client's chunks, which are read at the pace of the body's reader.
    public init<Chunks: AsyncSequence & Sendable>(chunks: Chunks) where Chunks.Element == Data {
        self.init(ChunkSource(chunks.makeAsyncIterator()))
    }
}

/// The iterator of a sequence as the source of a body. One task at a time calls `next`.
private actor ChunkSource<Iterator: AsyncIteratorProtocol>: HTTPBodySource where Iterator.Element == Data {
    private var iterator: Iterator?

    init(_ iterator: sending Iterator) { self.iterator = iterator }

    func next() async throws(TransportError) -> Data? {
        guard var iterator else { return nil }
        do {
            // A chunk of a body is never empty.
            while let chunk = try await iterator.next(isolation: self) {
                self.iterator = iterator
                if !chunk.isEmpty { return chunk }
            }
        } catch {
            self.iterator = nil
            throw TransportError(wrapping: error)
        }
        self.iterator = nil
        return nil
    }
}

extension TransportError {
    fileprivate init(wrapping error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case is CancellationError: self = .cancelled
        default:
            self = Task.isCancelled ? .cancelled : TransportError(.connectionLost, "\(error)", underlying: error)
        }
    }
}
