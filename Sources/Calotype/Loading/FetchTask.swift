public import CalotypeCodecs
public import CalotypeConcurrency
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
        let look = look(for: request)
        let fetch = FetchTask(
            priority: request.priority, completion: completion, order: completions,
            identity: options.coalesces ? look.identity : nil)
        do throws(ImageError) {
            try checkIsValid()
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
/// Completions of equal requests that wait for one image are called in the order in which their fetches began.
@MainActor
public final class FetchTask {
    private let handle: DynamicPriority
    private var completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)?
    private var task: Task<Void, Never>?
    private let order: CompletionOrder
    private let identity: ImageIdentity?
    /// The result that the completion is called with once those before it have been called.
    fileprivate var result: Result<Bitmap, ImageError>?

    fileprivate init(
        priority: LoadPriority, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void,
        order: CompletionOrder, identity: ImageIdentity?
    ) {
        handle = DynamicPriority(priority)
        self.completion = completion
        self.order = order
        self.identity = identity
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
        if let identity { order.leave(self, identity) }
    }

    fileprivate func start(_ request: ImageRequest, in loader: ImageLoader) {
        let handle = handle
        // A cancellation of all loads counts, though the task has not begun.
        let begun = loader.cancellations.load()
        if let identity { order.enter(self, identity) }
        task = Task {
            let result = await DynamicPriority.$current.withValue(handle) { () -> Result<Bitmap, ImageError> in
                do throws(ImageError) {
                    return .success(try await loader.response(for: request, observer: nil, begun: begun).bitmap)
                } catch {
                    return .failure(error)
                }
            }
            self.result = result
            if let identity { order.callThoseDone(identity) } else { end(result) }
        }
    }

    fileprivate func end(_ result: Result<Bitmap, ImageError>) {
        let completion = completion
        self.completion = nil
        task = nil
        completion?(result)
    }
}

/// Equal fetches that have not called their completions yet, in the order in which they began.
///
/// Each has a task: one that starts late may find the image in memory while those before it are still on their way back.
@MainActor
final class CompletionOrder {
    private var waiting: [ImageIdentity: [FetchTask]] = [:]

    nonisolated init() {}

    fileprivate func enter(_ fetch: FetchTask, _ identity: ImageIdentity) {
        waiting[identity, default: []].append(fetch)
    }

    /// A cancelled fetch holds up no other.
    fileprivate func leave(_ fetch: FetchTask, _ identity: ImageIdentity) {
        waiting[identity]?.removeAll { $0 === fetch }
        callThoseDone(identity)
    }

    fileprivate func callThoseDone(_ identity: ImageIdentity) {
        // A completion may begin and cancel fetches of the same image.
        while let first = waiting[identity]?.first, let result = first.result {
            waiting[identity]?.removeFirst()
            first.end(result)
        }
        if waiting[identity]?.isEmpty == true { waiting[identity] = nil }
    }
}
