import CalotypeBase
public import CalotypeCodecs

extension ImageLoader {
    /// Returns the events of a load: progress, previews if the request asks for them, and finally the image.
    ///
    /// Each iteration is a separate fetch. If it joins a load in flight, it starts with the latest event of that load.
    /// Leaving the loop cancels the fetch. A slow reader misses progress and earlier previews, but never the result.
    public func events(for request: ImageRequest) -> ImageEvents {
        ImageEvents(loader: self, request: request)
    }
}

/// An event of a load, with the changes since the last one. Members may be added; read the ones that you need.
public struct ImageEvent: Sendable {
    /// The progress of the download; `nil` if it has not changed, and in the last event.
    public var progress: LoadProgress?
    /// A preview of the image, if the request asks for ``ImageRequest/previews``. It replaces the previous preview.
    public var preview: ImagePreview?
    /// The error of a failed source, if the request continues with another source. The progress then starts again.
    public var failure: ImageError?
    /// The image, in the last event only.
    public var response: ImageResponse?
}

/// The events of one load, in order. Iteration throws the `ImageError` with which the load fails.
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
        // The stream of signals is cancelled with the task that reads it, or after the last copy of the iterator.
        continuation.onTermination = { reason in
            if case .cancelled = reason { task.cancel() }
        }
        return Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator())
    }

    /// The iterator over the events of one load.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: Mailbox
        /// A signal after each event. Signals that have not been read yet merge into one.
        fileprivate var signals: AsyncStream<Void>.Iterator

        public mutating func next() async throws(ImageError) -> ImageEvent? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ImageError) -> ImageEvent? {
            while await nextSignal(isolation: actor) != nil {
                // The mailbox is empty if the previous call returned this signal's event merged with its own.
                if let event = mailbox.take() { return try event.get() }
            }
            if Task.isCancelled { throw .cancelled }
            return nil
        }

        private mutating func nextSignal(isolation actor: isolated (any Actor)?) async -> Void? {
            if #available(macOS 15, iOS 18, tvOS 18, visionOS 2, *) { return await signals.next(isolation: actor) }
            // The iterator refers to a buffer behind a lock, although older systems do not declare it as Sendable.
            nonisolated(unsafe) var signals = signals
            return await signals.next()
        }
    }

    /// The unread events, merged into one. Newer values replace older ones; a failure or the result replaces all.
    fileprivate final class Mailbox: Sendable {
        private let state = Locked<(unread: Result<ImageEvent, ImageError>?, isEnded: Bool)>((nil, false))

        func add(_ event: ImageEvent) {
            state.withLock { state in
                // A flight may still deliver progress after it has ended.
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
}
