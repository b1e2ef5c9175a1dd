import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// A caller's closure that loads the bytes. The HTTP cache calls it in place of an exchange over the network.
struct CustomSource: OriginalSource {
    private let request: HTTPRequest
    private let fetch: CustomFetch
    private let makeTransport: @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport
    private let cache: ResponseCache
    private let download: Download

    let isLocal = false
    var isCached: Bool { cache.storage != nil }

    /// - Parameter transport: Returns a transport that calls a closure in place of an exchange.
    init(
        key: ByteString, _ fetch: @escaping CustomFetch,
        over transport: @escaping @Sendable (@escaping @Sendable () async throws -> Data) -> any Transport,
        _ cache: ResponseCache, _ download: Download
    ) {
        var request = HTTPRequest(Self.url)
        request.cacheKey = key
        self.request = request
        self.fetch = fetch
        makeTransport = transport
        self.cache = cache
        self.download = download
    }

    /// A dummy URL that is never requested: custom sources are identified by their keys.
    private static let url = URL(filePath: "/custom")

    func open(_ order: OriginalOrder) async throws(ImageError) -> Original {
        try order.checkMayLoad(nil)
        let transport = makeTransport { [fetch, onUpdate = order.onUpdate] in
            try await fetch { onUpdate(LoadUpdate(progress: $0)) }
        }
        let answer = try await download.answer(
            to: order.applied(to: request), over: transport, url: nil, order.onUpdate)
        let response = answer.response
        let length: HTTPFields = response.contentLength.map { ["Content-Length": "\($0)"] } ?? [:]
        let head = StoredHead(url: "", status: 200, fields: length)
        let origin = response.cacheOutcome.map { ImageResponse.Origin($0.source) } ?? .source
        return Original(
            body: response.body, bytes: answer.bytes, head: head, origin: origin == .network ? .source : origin,
            identity: response.identity)
    }

    func removeStored() async throws(ImageError) { try await cache.removeStored { request } }
}

/// A caller's closure as an exchange, so that its bytes pass the same layers as a download.
struct ClosureTransport: Transport {
    let fetch: @Sendable () async throws -> Data
    /// The time for which the bytes are fresh.
    let lifetime: Duration

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let data = try await bytes()
        let seconds = min(max(lifetime.components.seconds, 0), 1 << 31)
        return HTTPResponse(
            url: request.url, status: 200,
            fields: ["Cache-Control": "max-age=\(seconds)", "Content-Length": "\(data.count)"], body: HTTPBody(data))
    }

    private func bytes() async throws(TransportError) -> Data {
        do {
            return try await inOwnTask(fetch)
        } catch let error as ImageError where error.code != .cancelled {
            throw .loader(error)
        } catch {
            // A `CancellationError` from the source counts as a failure, unless this task was cancelled.
            if Task.isCancelled { throw .cancelled }
            throw .loader(ImageError(.sourceFailed, "the source failed: \(error)", underlying: error))
        }
    }
}

/// Runs a caller's closure in a separate task, which is cancelled with the current task.
///
/// A load runs on the thread of its first caller until it first suspends, and cannot be cancelled before that: a long
/// computation in the closure would block that thread. `Task.yield()` would not help, because it returns without
/// suspending if another thread resumes the task early enough.
func inOwnTask<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task { try await body() }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}
