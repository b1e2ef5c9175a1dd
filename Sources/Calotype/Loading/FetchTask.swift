public import CalotypeBase
public import CalotypeCodecs
public import Foundation

extension ImageLoader {
    /// Loads an image for a view, without flicker: if the image is in memory or the loader is invalidated,
    /// calls `completion` **before this function returns**; otherwise later, on the main actor.
    ///
    /// - Returns: The fetch, to cancel it or to change its priority. Releasing this object does not cancel the fetch.
    @MainActor @discardableResult
    public func fetch(
        _ request: ImageRequest, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void
    ) -> FetchTask {
        let completed = complete(request)
        let keys = keys(of: completed)
        let look = look(for: completed, keys)
        let fetch = FetchTask(
            priority: request.priority, completion: completion, order: completions, line: line(of: completed, keys))
        do throws(ImageError) {
            try revocations.checkIsValid()
        } catch {
            fetch.end(.failure(error))
            return fetch
        }
        if let bitmap = look.bitmap {
            noteMemoryHit(request)
            fetch.end(.success(bitmap))
        } else {
            fetch.start(request, in: self)
        }
        return fetch
    }

    /// Returns the key of the queue that orders the completions of this image's fetches. Returns `nil` if the
    /// loader does not coalesce requests, or if the request has alternatives, a deadline or the like (`hasFallbacks`).
    private func line(of request: ImageRequest, _ keys: ImageKeys) -> ImageIdentity? {
        guard options.coalesces, !request.hasFallbacks else { return nil }
        return ImageIdentity(request, keys, generation: revocations.mark(keys.source, cancellations: 0).generation)
    }

    /// Loads the full-size image at `url` for a view.
    @MainActor @discardableResult
    public func fetch(_ url: URL, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void) -> FetchTask {
        fetch(ImageRequest(url), completion: completion)
    }

    /// Loads the full-size image at `url` for a view. Also passes the URL, so that one closure can serve many cells.
    @MainActor @discardableResult
    public func fetch(
        _ url: URL, completion: @escaping @MainActor (Result<Bitmap, ImageError>, URL) -> Void
    ) -> FetchTask {
        fetch(ImageRequest(url)) { completion($0, url) }
    }
}

/// A fetch that ends with one call of its completion, or with no call if it is cancelled.
///
/// Completions of equal requests that wait for one image run in the order in which their fetches began. Requests with
/// alternatives, a deadline, `waitsForConnectivity` or `failureMemory` complete as soon as their own result arrives.
@MainActor
public final class FetchTask {
    private let handle: DynamicPriority
    private var completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)?
    private var task: Task<Void, Never>?
    private let order: CompletionOrder
    private let line: ImageIdentity?
    /// The fetch's ticket in a queue of ``CompletionOrder``, or `nil` if the fetch is in no queue.
    fileprivate var place: CompletionOrder.Line.Ticket?
    /// The result, while earlier fetches in the queue have yet to call their completions.
    fileprivate var result: Result<Bitmap, ImageError>?

    fileprivate init(
        priority: LoadPriority, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void,
        order: CompletionOrder, line: ImageIdentity?
    ) {
        handle = DynamicPriority(priority)
        self.completion = completion
        self.order = order
        self.line = line
    }

    /// The priority among waiting requests, which may change at any time.
    public var priority: LoadPriority {
        get { handle.value }
        set { handle.value = newValue }
    }

    /// Whether the completion was called or the fetch was cancelled.
    public var isFinished: Bool { completion == nil }

    /// Cancels the fetch; its completion is not called. The work stops unless another caller waits for it.
    public func cancel() {
        completion = nil
        task?.cancel()
        task = nil
        if let line { order.leave(self, line) }
    }

    fileprivate func start(_ request: ImageRequest, in loader: ImageLoader) {
        let handle = handle
        // Read the count before the task begins, so that `cancelAll()` also ends a fetch whose task has yet to begin.
        let cancellations = loader.revocations.cancellations
        if let line { order.enter(self, line) }
        task = Task {
            let result = await DynamicPriority.$current.withValue(handle) {
                await Result(awaiting: { () async throws(ImageError) in
                    try await loader.response(for: request, observer: nil, cancellations: cancellations).bitmap
                })
            }
            self.result = result
            if let line { order.callThoseDone(line) } else { end(result) }
        }
    }

    fileprivate func end(_ result: Result<Bitmap, ImageError>) {
        let completion = completion
        self.completion = nil
        task = nil
        completion?(result)
    }
}

/// The fetches of each image that have yet to call their completions, in the order in which they began.
///
/// Each fetch has its own task. A task that starts late may find the image in memory before earlier tasks have resumed;
/// its completion must then wait for theirs.
@MainActor
final class CompletionOrder {
    typealias Line = PriorityLanes<FetchTask>

    private var lines: [ImageIdentity: Line] = [:]

    nonisolated init() {}

    fileprivate func enter(_ fetch: FetchTask, _ line: ImageIdentity) {
        fetch.place = lines[line, default: Line()].push(fetch, priority: .normal)
    }

    /// Removes a cancelled fetch, so that it does not delay the others.
    fileprivate func leave(_ fetch: FetchTask, _ line: ImageIdentity) {
        take(fetch, out: line)
        callThoseDone(line)
    }

    fileprivate func callThoseDone(_ line: ImageIdentity) {
        // A completion may begin or cancel fetches of the same image.
        while let first = lines[line]?.peek()?.element, let result = first.result {
            take(first, out: line)
            first.end(result)
        }
    }

    private func take(_ fetch: FetchTask, out line: ImageIdentity) {
        guard let place = fetch.place else { return }
        fetch.place = nil
        lines[line]?.remove(place)
        if lines[line]?.isEmpty == true { lines[line] = nil }
    }
}
