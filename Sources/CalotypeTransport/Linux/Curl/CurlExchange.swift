import CalotypeBase
import CalotypeHTTP
import Foundation

/// A request in flight: the state shared by curl's thread and the task that sent it.
final class CurlExchange: WireExchange, PriorityObserver {
    let request: HTTPRequest
    let origin: HTTPOrigin
    let priority: DynamicPriority?
    /// The source of a streaming request body, or `nil` for other requests.
    let feed: UploadFeed?
    let observer = InterimResponses.observer
    /// The route, which curl's thread changes while it looks up names.
    let route: Locked<CurlRoute>
    let state = Locked(ExchangeState())
    private let loop: CurlLoop

    init(_ request: HTTPRequest, origin: HTTPOrigin, priority: DynamicPriority?, loop: CurlLoop) {
        self.request = request
        self.origin = origin
        self.priority = priority
        self.loop = loop
        route = Locked(CurlRoute(origin, options: loop.options, trustsHost: request.trustsHost))
        feed = request.upload.map { _ in UploadFeed() }
    }

    deinit { feed?.close() }

    // MARK: The task's side

    func start() {
        if let refusal = loop.submit(self) { return fail(refusal) }
        guard let upload = request.upload else { return }
        feed?.start(upload.body) { [weak self, loop] in if let self { loop.post(.resumeUpload(self)) } }
    }

    func resume() { loop.post(.resume(self)) }

    func close(isRunning: Bool) {
        if isRunning { loop.post(.cancel(self)) }
        feed?.close()
    }

    func priorityDidChange() { loop.post(.reprioritize(self)) }

    // MARK: curl's side

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// - Returns: The number of bytes not yet read, and whether a paused transfer may continue.
    func tell(_ news: ExchangeState.News) -> (unreadBytes: Int, resumesTransfer: Bool) {
        let delivery = state.withLock { $0.take(news) }
        if news.end != nil { feed?.close() }
        if let (waiter, answer) = delivery.answer { waiter.resume(returning: answer) }
        if let (reader, chunk) = delivery.chunk { reader.resume(returning: chunk) }
        return (delivery.unreadBytes, delivery.resumesTransfer)
    }

    func fail(_ error: TransportError) {
        _ = tell(ExchangeState.News(end: .failed(error)))
    }
}
