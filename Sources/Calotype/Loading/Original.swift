import CalotypeConcurrency
import CalotypeHTTP
import Foundation

/// An original as a cache, a server or a source gave it: its head, and its bytes, there already or still to be read.
///
/// Whoever holds one with its bytes waits for nothing but a codec thread: see ``Handover``.
final class Original: Sendable {
    /// Bytes in memory, and their share of the room there. The share ends with the last reference.
    final class Bytes: Sendable {
        let data: Data
        /// What they were while they came over the network.
        let arrival: ArrivingBody?
        private let share: Room.Share

        init(_ data: Data, _ share: Room.Share, arrival: ArrivingBody? = nil) {
            self.data = data
            self.arrival = arrival
            self.share = share
        }
    }

    let head: StoredHead
    let origin: ImageResponse.Origin
    /// If `nil`, the bytes did not come over the web.
    let provenance: Provenance?
    /// If `nil`, or without a text, the bytes are not stored.
    let identity: BodyIdentity?
    private let content: Locked<Content>

    private struct Content {
        /// Bytes that came with the head. The original is their only place.
        let own: Bytes?
        /// A stored body, until a reader takes it.
        var body: HTTPBody?
        /// The bytes that were read of the stored body, while a decoder needs them. Weak, because a request that waits for
        /// room holds its original: it would hold the room that it waits for.
        weak var read: Bytes?
    }

    init(
        _ body: HTTPBody, _ head: StoredHead, _ origin: ImageResponse.Origin, _ provenance: Provenance?,
        _ identity: BodyIdentity?, bytes: Bytes? = nil
    ) {
        self.head = head
        self.origin = origin
        self.provenance = provenance
        self.identity = identity
        content = Locked(Content(own: bytes, body: bytes == nil ? body : nil))
    }

    /// The bytes, if they are in memory.
    var bytes: Bytes? { content.withLock { $0.own ?? $0.read } }

    /// Shares the bytes of the stored body with all who hold this original, for as long as one of them decodes.
    func share(_ bytes: Bytes) { content.withLock { $0.read = bytes } }

    /// The stored body, for its one reader.
    func takeBody() -> HTTPBody? { content.withLock { $0.body.take() } }

    /// A Boolean value indicating whether the bytes were stored before they were asked for, so that others may be had.
    var wasStored: Bool { [.disk, .revalidated, .stale].contains(origin) }

    /// Bytes of a body that is still to be read, where that is known.
    var expectedLength: Int? { head.fields.contentLength }
}

/// An original on its way from the stage that asked for it to the one that decodes it.
///
/// A box, so that no frame in between keeps the bytes while it waits for something else.
final class Handover: Sendable {
    private let held = Locked<Original?>(nil)
    private let stopwatch: Stopwatch?
    private let loaded = Locked<(bytes: Int, after: Duration)?>(nil)

    /// - Parameter clock: If `nil`, nothing is measured.
    init(measuredBy clock: (any Clock<Duration>)? = nil) { stopwatch = clock.map { Stopwatch($0) } }

    /// The bytes that the image is made of have come, so many.
    func noteBytes(_ count: Int) {
        guard let stopwatch else { return }
        loaded.withLock { $0 = (count, stopwatch.elapsed()) }
    }

    /// The work done so far, or `nil` before bytes have come.
    var work: LoadWork? {
        guard let stopwatch, let (bytes, after) = loaded.withLock({ $0 }) else { return nil }
        return LoadWork(bytes: bytes, loading: after, processing: stopwatch.elapsed() - after)
    }

    var original: Original? { held.withLock { $0 } }

    func put(_ original: Original) { held.withLock { $0 = original } }

    func take() -> Original? {
        held.withLock { original in
            defer { original = nil }
            return original
        }
    }

    /// Before a wait for a flight of others, or for room.
    func drop() { _ = take() }
}
