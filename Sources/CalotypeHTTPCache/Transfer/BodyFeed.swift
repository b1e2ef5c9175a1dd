internal import CalotypeBase
internal import Foundation

/// How a body reaches a store that takes it while it arrives.
struct StreamedStoring: Sendable {
    /// The number of bytes to gather in memory before `open` is called.
    let threshold: Int
    /// Opens a writer; returns `nil` if the store has none for this body.
    let open: @Sendable () async -> (any HTTPBodyWriter)?
    let digest: (@Sendable () -> any RunningDigest)?
    let timeout: StoreTimeout
    let onProblem: @Sendable (any Error) -> Void
}

/// A body whose bytes a store's writer has, and which awaits its commit.
struct StreamedBody: Sendable {
    let writer: any HTTPBodyWriter
    let length: Int
    let digest: String?
}

/// Passes a body to the writer of a store, in batches: while the writer takes one, the next one gathers.
final class BodyFeed: Sendable {
    /// The minimum size of a batch before the last one, in bytes. A writer on disk changes threads for each.
    static let batch = 512 << 10

    private struct State {
        /// The writer, or `nil` once it has failed or been abandoned.
        var writer: (any HTTPBodyWriter)?
        var queue: [Data] = []
        var queued = 0
        /// The number of bytes that the writer has.
        var taken = 0
        var isWriting = false
        var isClosed = false

        var isDone: Bool { writer == nil || isClosed && !isWriting && queue.isEmpty }
    }

    let isReadable: Bool
    private let timeout: StoreTimeout
    private let digest: Locked<(any RunningDigest)?>
    private let onProgress: @Sendable (Int) -> Void
    private let onFailure: @Sendable (any Error) -> Void
    private let room: WaitingRoom<State, Void>

    /// - Parameters:
    ///   - onProgress: Called with the number of bytes that the writer has.
    ///   - onFailure: Called if the writer fails. It gets no further bytes.
    init(
        _ writer: any HTTPBodyWriter, _ storing: StreamedStoring, onProgress: @escaping @Sendable (Int) -> Void,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        isReadable = writer.isReadable
        timeout = storing.timeout
        digest = Locked(storing.digest?())
        self.onProgress = onProgress
        self.onFailure = onFailure
        room = WaitingRoom(State(writer: writer)) { state, _ in state.isDone }
    }

    func add(_ chunks: [Data]) {
        let starts = room.update { state in
            guard state.writer != nil else { return false }
            state.queue += chunks
            state.queued += chunks.reduce(0) { $0 + $1.count }
            return Self.starts(&state)
        }
        if starts { start() }
    }

    /// Waits until the writer has all bytes. Returns `nil` if it has failed or been abandoned.
    func finish() async -> StreamedBody? {
        let starts = room.update { state in
            state.isClosed = true
            return Self.starts(&state)
        }
        if starts { start() }
        await room.enterUninterruptibly((), priority: nil)
        let (writer, length) = room.read { ($0.writer, $0.taken) }
        return writer.map { StreamedBody(writer: $0, length: length, digest: digest.withLock { $0?.text() }) }
    }

    /// Releases the writer, which has then stored nothing.
    func abandon() {
        room.update { state in
            state.writer = nil
            (state.queue, state.queued) = ([], 0)
        }
    }

    /// Returns bytes that the writer has, or `nil` if it fails or returns others than these.
    func read(_ range: Range<Int>) async -> Data? {
        guard let writer = room.read({ $0.writer }) else { return nil }
        let bytes = try? await timeout.limit { try await writer.read(range) }
        return bytes?.count == range.count ? bytes : nil
    }

    private static func starts(_ state: inout State) -> Bool {
        guard state.writer != nil, !state.isWriting, !state.queue.isEmpty, state.isClosed || state.queued >= batch
        else { return false }
        state.isWriting = true
        return true
    }

    private func start() { Task.detached { await self.write() } }

    private func write() async {
        while let (writer, chunks) = next() {
            digest.withLock { digest in for chunk in chunks { digest?.add(chunk) } }
            do {
                try await timeout.limit { try await writer.append(chunks) }
            } catch {
                let isNews = room.read { $0.writer != nil }
                abandon()
                if isNews { onFailure(error) }
                return
            }
            let taken = room.update { state in
                state.taken += chunks.reduce(0) { $0 + $1.count }
                return state.taken
            }
            onProgress(taken)
        }
    }

    /// Returns the next batch, or `nil` if there is none yet.
    private func next() -> (any HTTPBodyWriter, [Data])? {
        room.update { state in
            state.isWriting = false
            guard Self.starts(&state), let writer = state.writer else { return nil }
            defer { (state.queue, state.queued) = ([], 0) }
            return (writer, state.queue)
        }
    }
}
