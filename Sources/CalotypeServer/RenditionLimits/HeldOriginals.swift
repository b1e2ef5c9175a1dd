import CalotypeBase
import Foundation

/// The originals that all renditions together keep in memory until the loader takes them, within a limit in bytes.
///
/// Nothing waits for this memory: a rendition that waited for it might wait for one behind itself.
final class HeldOriginals: Sendable {
    let limit: Int
    private let held = Locked(0)

    init(limit: Int) { self.limit = limit }

    /// The bytes that are kept now.
    var bytes: Int { held.withLock { $0 } }

    /// Counts bytes until the returned object is released. Returns `nil` if they do not fit.
    func hold(_ bytes: Int) -> Hold? {
        let fits = held.withLock { held in
            guard bytes <= limit - held else { return false }
            held += bytes
            return true
        }
        return fits ? Hold(bytes, of: self) : nil
    }

    /// Keeps bytes until they are taken. Returns `nil` if they do not fit.
    func keep(_ data: Data) -> KeptOriginal? { hold(data.count).map { KeptOriginal(data, $0) } }

    final class Hold: Sendable {
        private let bytes: Int
        private let owner: HeldOriginals

        fileprivate init(_ bytes: Int, of owner: HeldOriginals) { (self.bytes, self.owner) = (bytes, owner) }

        deinit { owner.held.withLock { $0 -= bytes } }
    }
}

/// The bytes of an original until the loader takes them, which then counts them itself.
final class KeptOriginal: Sendable {
    private struct Content {
        let data: Data
        let hold: HeldOriginals.Hold
    }

    private let content: Locked<Content?>

    init(_ data: Data, _ hold: HeldOriginals.Hold) { content = Locked(Content(data: data, hold: hold)) }

    /// Returns the bytes, and keeps them no longer. Returns `nil` if they have been taken before.
    func take() -> Data? {
        content.withLock { content in
            defer { content = nil }
            return content?.data
        }
    }
}
