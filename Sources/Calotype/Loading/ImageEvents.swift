extension ImageLoader {
    /// The load as it goes: progress, and in the end the image.
    ///
    /// Each iteration is a fetch of its own, which joins what is under way already and is told at once how far that
    /// is. Leaving the loop ends it. A reader that is slow misses progress, never the result.
    public func events(for request: ImageRequest) -> ImageEvents {
        ImageEvents(loader: self, request: request)
    }
}

/// One thing that happened to a load. May grow; look for the member that you need.
public struct ImageEvent: Sendable {
    /// How far the download is; in the last event that of the whole.
    public var progress: LoadProgress?
    /// The error of a source that failed, when another source of the request is tried. The progress starts again then.
    public var failure: ImageError?
    /// The image. The last event has it, and no other.
    public var response: ImageResponse?
}

/// The events of one load, in order. Throws the `ImageError` that the load ends with.
public struct ImageEvents: AsyncSequence, Sendable {
    public typealias Element = ImageEvent
    public typealias Failure = ImageError

    fileprivate let loader: ImageLoader
    fileprivate let request: ImageRequest

    public func makeAsyncIterator() -> Iterator {
        // The newest is enough: progress tells the whole so far, and the result comes last.
        let (stream, continuation) = AsyncStream.makeStream(
            of: Result<ImageEvent, ImageError>.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [loader, request] in
            do throws(ImageError) {
                let response = try await loader.response(for: request) { continuation.yield(.success($0)) }
                continuation.yield(.success(ImageEvent(response: response)))
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { reason in
            if case .cancelled = reason { task.cancel() }
        }
        return Iterator(events: stream.makeAsyncIterator(), fetch: Fetch(task: task))
    }

    /// The iterator of the events of one load.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Result<ImageEvent, ImageError>>.Iterator
        fileprivate let fetch: Fetch

        public mutating func next() async throws(ImageError) -> ImageEvent? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ImageError) -> ImageEvent? {
            guard let event = await events.next(isolation: actor) else {
                if Task.isCancelled { throw .cancelled }
                return nil
            }
            return try event.get()
        }
    }

    /// Ends the fetch when the last copy of its iterator is gone.
    fileprivate final class Fetch: Sendable {
        private let task: Task<Void, Never>

        init(task: Task<Void, Never>) {
            self.task = task
        }

        deinit { task.cancel() }
    }
}
