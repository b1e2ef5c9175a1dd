import CalotypeBase
import Foundation

/// The digests of the files that ended workers.
///
/// The digest is SipHash with this process's random key, so that no attacker can construct two files of equal digest.
final class RefusedFiles: Sendable {
    private struct Digest: Hashable {
        let length: Int
        let hash: Int
    }

    private struct Entry {
        var faults = 0
        var end: Duration
    }

    private let entries = Locked<[Digest: Entry]>([:])
    private let stopwatch: Stopwatch

    init(clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
    }

    /// Returns whether the file has ended two workers within the last 10 minutes.
    func contains(_ data: Data) -> Bool {
        guard isKnown(data.count) else { return false }
        let (digest, now) = (Self.digest(data), stopwatch.elapsed())
        return entries.withLock { entries in
            guard let entry = entries[digest] else { return false }
            guard entry.end > now else {
                entries[digest] = nil
                return false
            }
            return entry.faults >= 2
        }
    }

    func count(_ data: Data) {
        let (digest, now) = (Self.digest(data), stopwatch.elapsed())
        entries.withLock { entries in
            if entries.count >= Self.limit {
                entries = entries.filter { $0.value.end > now }
                if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.end < $1.value.end }) {
                    entries[oldest.key] = nil
                }
            }
            let faults = entries[digest].flatMap { $0.end > now ? $0.faults : nil } ?? 0
            entries[digest] = Entry(faults: faults + 1, end: now + Self.lifetime)
        }
    }

    /// Forgets the file. Called after a worker has decoded pixels of the file.
    func forget(_ data: Data) {
        guard isKnown(data.count) else { return }
        let digest = Self.digest(data)
        entries.withLock { $0[digest] = nil }
    }

    /// Returns whether any entry has this length, which takes less time than a digest.
    private func isKnown(_ length: Int) -> Bool {
        entries.withLock { !$0.isEmpty && $0.keys.contains { $0.length == length } }
    }

    private static func digest(_ data: Data) -> Digest {
        var hasher = Hasher()
        data.reading { hasher.combine(bytes: $0) }
        return Digest(length: data.count, hash: hasher.finalize())
    }

    private static let limit = 1024
    private static let lifetime = Duration.seconds(600)
}
