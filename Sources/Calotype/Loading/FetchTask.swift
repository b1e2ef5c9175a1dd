public import CalotypeBase
public import CalotypeCodecs
public import Foundation

extension ImageLoader {
    /// Gets an image for a view, without a flicker: with the image in memory, `completion` is called **before this
    /// returns**; otherwise later, on the main actor.
    ///
    /// - Returns: the fetch under way, to cancel it or to change its priority. Letting go of it changes nothing.
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

    /// Where a fetch waits for its turn among those that share its flight; `nil` if it shares none, or may leave it for
    /// another source.
    private func line(of request: ImageRequest, _ keys: ImageKeys) -> ImageIdentity? {
        guard options.coalesces, !request.hasFallbacks else { return nil }
        return ImageIdentity(request, keys, generation: revocations.mark(keys.source, cancellations: 0).generation)
    }

    /// The same for the image at `url`, as large as it is.
    @MainActor @discardableResult
    public func fetch(
        _ url: URL, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void
    ) -> FetchTask {
        fetch(ImageRequest(url), completion: completion)
    }
}

extension ImageLoader {
    /// The same, for a completion that also takes the URL: one that serves many cells, say.
    @MainActor @discardableResult
    public func fetch(
        _ url: URL, completion: @escaping @MainActor (Result<Bitmap, ImageError>, URL) -> Void
    ) -> FetchTask {
        fetch(ImageRequest(url)) { completion($0, url) }
    }
}

/// A fetch that ends with one call of its completion, or with none if it is cancelled.
///
/// Completions of equal requests that wait for one image are called in the order in which their fetches began. Those of
/// requests with other sources are called as soon as their own result is there.
@MainActor
public final class FetchTask {
    private let handle: DynamicPriority
    private var completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)?
    private var task: Task<Void, Never>?
    private let order: CompletionOrder
    private let line: ImageIdentity?
    /// Its place in the line, while it waits there.
    fileprivate var place: CompletionOrder.Line.Ticket?
    /// The result that the completion is called with once those before it have been called.
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

    /// The priority among requests that wait; may change at any time.
    public var priority: LoadPriority {
        get { handle.value }
        set { handle.value = newValue }
    }

    /// A Boolean value indicating whether the completion was called, or never will be.
    public var isFinished: Bool { completion == nil }

    /// Ends the fetch without a call of its completion. The work stops unless another caller waits for it.
    public func cancel() {
        completion = nil
        task?.cancel()
        task = nil
        if let line { order.leave(self, line) }
    }

    fileprivate func start(_ request: ImageRequest, in loader: ImageLoader) {
        let handle = handle
        // A cancellation of all loads counts, though the task has not begun.
        let cancellations = loader.revocations.cancellations
        if let line { order.enter(self, line) }
        task = Task {
            let result = await DynamicPriority.$current.withValue(handle) { () -> Result<Bitmap, ImageError> in
                do throws(ImageError) {
                    return .success(
                        try await loader.response(for: request, observer: nil, cancellations: cancellations).bitmap)
                } catch {
                    return .failure(error)
                }
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

/// Fetches of one flight that have not called their completions yet, in the order in which they began.
///
/// Each has a task: one that starts late may find the image in memory while those before it are still on their way back.
@MainActor
final class CompletionOrder {
    typealias Line = PriorityLanes<FetchTask>

    private var lines: [ImageIdentity: Line] = [:]

    nonisolated init() {}

    fileprivate func enter(_ fetch: FetchTask, _ line: ImageIdentity) {
        fetch.place = lines[line, default: Line()].push(fetch, priority: .normal)
    }

    /// A cancelled fetch holds up no other.
    fileprivate func leave(_ fetch: FetchTask, _ line: ImageIdentity) {
        take(fetch, out: line)
        callThoseDone(line)
    }

    fileprivate func callThoseDone(_ line: ImageIdentity) {
        // A completion may begin and cancel fetches of the same image.
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
