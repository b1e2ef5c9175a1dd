import CalotypeBase
import CalotypeHTTP
import Foundation

/// An original as a cache, a server or a source returned it: its head, and its bytes or the body to read them from.
final class Original: Sendable {
    /// The bytes in memory. They count against the budget of undecoded bytes until the last reference is gone.
    final class Bytes: Sendable {
        let data: Data
        private let reservation: BodyBudget.Reservation

        init(_ data: Data, _ reservation: BodyBudget.Reservation) {
            self.data = data
            self.reservation = reservation
        }
    }

    let head: StoredHead
    let origin: ImageResponse.Origin
    /// The freshness and cache status of the response, or `nil` if the bytes did not come over the web.
    let provenance: Provenance?
    /// The identity of the bytes. It is `nil` or has no text if the bytes are not stored.
    let identity: BodyIdentity?
    /// The body in the store or in a file, for any number of readers; empty if the bytes came with the head.
    let body: HTTPBody
    /// The bytes that came with the head. A strong reference, because they cannot be read again.
    private let own: Bytes?
    /// The bytes that were read from the body, while a decoder needs them. Weak, because a request holds its original
    /// while it waits for memory, and a strong reference would keep the bytes in memory during that wait.
    private let read: Locked<Reference>?

    private struct Reference {
        weak var bytes: Bytes?
    }

    /// - Parameter bytes: The bytes that came with the head, if any; `body` is then not read.
    init(
        body: HTTPBody = .empty, bytes: Bytes?, head: StoredHead, origin: ImageResponse.Origin,
        provenance: Provenance? = nil, identity: BodyIdentity?
    ) {
        self.body = bytes == nil ? body : .empty
        self.head = head
        self.origin = origin
        self.provenance = provenance
        self.identity = identity
        own = bytes
        read = bytes == nil ? Locked(Reference()) : nil
    }

    var bytes: Bytes? { own ?? read?.withLock { $0.bytes } }

    /// Shares the bytes of the body with all holders of this original, for as long as one of them uses the bytes.
    func share(_ bytes: Bytes) { read?.withLock { $0.bytes = bytes } }

    /// Whether the bytes were stored before the request: the source may have newer bytes.
    var wasStored: Bool { [.disk, .revalidated, .stale].contains(origin) }

    /// Whether the server answered with a failure, which the request accepts.
    var isFailure: Bool { head.status >= 400 }

    var expectedLength: Int? { head.fields.contentLength }
}

/// A load's ownership of an original. Empty if the load has not requested the original yet, or has released it.
///
/// A noncopyable value, so that no caller's frame keeps the bytes alive: it moves down the pipeline with the load, and
/// ends before the load waits for anything but a codec thread.
struct Claim: ~Copyable {
    private(set) var original: Original?

    init(_ original: Original? = nil) { self.original = original }

    mutating func end() { original = nil }

    mutating func take() -> Original? { original.take() }
}
