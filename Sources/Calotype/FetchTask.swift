public import CalotypeCodecs
public import Foundation
public import ResourceProvider

extension ImageLoader {
    /// Gets a picture for a view, without a flicker: with the picture in memory, `completion` is called **before this
    /// returns**; otherwise later, on the main actor.
    ///
    /// - Returns: the fetch under way, to cancel it or to change its priority. Letting go of it changes nothing.
    @MainActor @discardableResult
    public func fetch(
        _ request: ImageRequest, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void
    ) -> FetchTask {
        let fetch = FetchTask(priority: request.priority, completion: completion)
        do throws(ImageError) {
            try checkIsValid()
        } catch {
            fetch.end(.failure(error))
            return fetch
        }
        if let bitmap = cachedImage(for: request) {
            fetch.end(.success(bitmap))
        } else {
            fetch.start(request, in: self)
        }
        return fetch
    }

    /// The same for the picture at `url`, as large as it is.
    @MainActor @discardableResult
    public func fetch(
        _ url: URL, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void
    ) -> FetchTask {
        fetch(ImageRequest(url), completion: completion)
    }
}

/// A fetch that ends with one call of its completion, or with none once it is cancelled.
@MainActor
public final class FetchTask {
    private let handle: DynamicPriority
    private var completion: (@MainActor (Result<Bitmap, ImageError>) -> Void)?
    private var task: Task<Void, Never>?

    fileprivate init(
        priority: LoadPriority, completion: @escaping @MainActor (Result<Bitmap, ImageError>) -> Void
    ) {
        handle = DynamicPriority(priority)
        self.completion = completion
    }

    /// Among what waits; may change at any time.
    public var priority: LoadPriority {
        get { handle.value }
        set { handle.value = newValue }
    }

    /// Whether the completion was called, or never will be.
    public var isFinished: Bool { completion == nil }

    /// Ends the fetch. The completion is not called any more, and the work stops if nobody else waits for it.
    public func cancel() {
        completion = nil
        task?.cancel()
        task = nil
    }

    fileprivate func start(_ request: ImageRequest, in loader: ImageLoader) {
        let handle = handle
        task = Task {
            let result = await DynamicPriority.$current.withValue(handle) { () -> Result<Bitmap, ImageError> in
                do throws(ImageError) { return .success(try await loader.fetch(request)) } catch {
                    return .failure(error)
                }
            }
            end(result)
        }
    }

    fileprivate func end(_ result: Result<Bitmap, ImageError>) {
        let completion = completion
        self.completion = nil
        task = nil
        completion?(result)
    }
}
