import CalotypeBase
public import CalotypeCodecs

extension ImageLoader {
    /// The load as it goes: progress, previews if the request asks for them, and in the end the image.
    ///
    /// Each iteration is a separate fetch, which joins what is under way already and starts with how far that is. Leaving
    /// the loop ends it. A slow reader misses progress and earlier previews, never the result.
    public func events(for request: ImageRequest) -> ImageEvents {
        ImageEvents(loader: self, request: request)
    }
}

/// What has happened to a load since the last event. May grow; look for the member that you need.
public struct ImageEvent: Sendable {
    /// How far the download is; in the last event that of the whole.
    public var progress: LoadProgress?
    /// The image as far as it is there, for requests that ask for ``ImageRequest/previews``. Each takes the place of the one
    /// before.
    public var preview: ImagePreview?
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
        let mailbox = Mailbox()
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let cancellations = loader.revocations.cancellations
        let task = Task { [loader, request] in
            do throws(ImageError) {
                let observer: @Sendable (ImageEvent) -> Void = { event in
                    mailbox.add(event)
                    continuation.yield()
                }
                let response = try await loader.response(for: request, observer: observer, cancellations: cancellations)
                mailbox.end(.success(ImageEvent(response: response)))
            } catch {
                mailbox.end(.failure(error))
            }
            continuation.yield()
            continuation.finish()
        }
        continuation.onTermination = { reason in
            if case .cancelled = reason { task.cancel() }
        }
        return Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator(), fetch: Fetch(task: task))
    }

    /// The iterator of the events of one load.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: Mailbox
        /// One for each event, or for several.
        fileprivate var signals: AsyncStream<Void>.Iterator
        fileprivate let fetch: Fetch

        public mutating func next() async throws(ImageError) -> ImageEvent? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ImageError) -> ImageEvent? {
            while await nextSignal(isolation: actor) != nil {
                // Empty for the signal of an event that came along with the one before.
                if let event = mailbox.take() { return try event.get() }
            }
            if Task.isCancelled { throw .cancelled }
            return nil
        }

        private mutating func nextSignal(isolation actor: isolated (any Actor)?) async -> Void? {
            if #available(macOS 15, iOS 18, tvOS 18, visionOS 2, *) { return await signals.next(isolation: actor) }
            // A reference to a buffer behind a lock, whose type cannot say so on older systems.
            nonisolated(unsafe) var signals = signals
            return await signals.next()
        }
    }

    /// What has happened and was not read yet. Newer progress takes the place of older, and so do previews; the result that of
    /// both, and nothing comes after it.
    fileprivate final class Mailbox: Sendable {
        private let state = Locked<(unread: Result<ImageEvent, ImageError>?, isEnded: Bool)>((nil, false))

        func add(_ event: ImageEvent) {
            state.withLock { state in
                // A flight may still be delivering progress when it has ended.
                if state.isEnded { return }
                guard case .success(var all)? = state.unread, event.failure == nil else {
                    return state.unread = .success(event)
                }
                all.progress = event.progress ?? all.progress
                all.preview = event.preview ?? all.preview
                state.unread = .success(all)
            }
        }

        func end(_ result: Result<ImageEvent, ImageError>) { state.withLock { $0 = (result, true) } }

        func take() -> Result<ImageEvent, ImageError>? {
            state.withLock { state in
                defer { state.unread = nil }
                return state.unread
            }
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
