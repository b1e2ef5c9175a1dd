import CalotypeCodecs
import CalotypeConcurrency

/// Who makes the previews of which image, and what all of them may hold in memory.
final class PreviewTable: Sendable {
    /// By the image before its steps, for which requests may want different previews.
    private let table = Locked([ImageFlightKey: [(previewer: Previewer, users: Int)]]())
    private let held = Locked(0)
    private let heldLimit: Int

    /// - Parameter heldLimit: the bytes that may be held between previews.
    init(heldLimit: Int) { self.heldLimit = heldLimit }

    /// Returns `false` if there is no room.
    func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard bytes <= heldLimit - held else { return false }
            held += bytes
            return true
        }
    }

    func release(_ bytes: Int) { held.withLock { $0 -= bytes } }

    fileprivate func join(_ key: ImageFlightKey, _ previews: ImagePreviews, make: () -> Previewer) -> Previewer {
        table.withLock { table in
            var entries = table[key] ?? []
            defer { table[key] = entries }
            if let index = entries.firstIndex(where: { $0.previewer.previews == previews }) {
                entries[index].users += 1
                return entries[index].previewer
            }
            entries.append((make(), 1))
            return entries[entries.count - 1].previewer
        }
    }

    fileprivate func leave(_ key: ImageFlightKey, _ previewer: Previewer) {
        table.withLock { table in
            guard var entries = table[key], let index = entries.firstIndex(where: { $0.previewer === previewer }) else {
                return
            }
            entries[index].users -= 1
            if entries[index].users == 0 { entries.remove(at: index) }
            table[key] = entries.isEmpty ? nil : entries
        }
    }

    /// All bytes of the image are there.
    ///
    /// - Returns: the session to decode it with, if one has begun.
    func end(_ key: ImageFlightKey, _ body: ArrivingBody?) -> PreviewSession? {
        let previewers = table.withLock { $0[key]?.map(\.previewer) ?? [] }
        return previewers.map { $0.end(body) }.compactMap { $0 }.first { $0.heldBytes > 0 }
    }
}

/// One who watches the previews of an image.
struct PreviewWatch {
    private let table: PreviewTable
    private let key: ImageFlightKey
    private let previewer: Previewer
    private let id: UInt64

    fileprivate init(
        _ job: Job, _ previews: ImagePreviews, _ loader: ImageLoader, _ deliver: @escaping Previewer.Delivery
    ) {
        table = loader.previews
        key = job.beforeSteps.imageFlight
        previewer = table.join(key, previews) { Previewer(previews, of: job, for: loader) }
        id = previewer.add(job, deliver)
    }

    func offer(_ body: ArrivingBody) { previewer.offer(body) }

    /// Nothing is delivered afterwards.
    func end() {
        previewer.remove(id)
        table.leave(key, previewer)
    }
}

extension ImageLoader {
    /// Watches the previews that the request asks for; `nil` where that is none.
    func watchPreviews(of job: Job, _ deliver: @escaping Previewer.Delivery) -> PreviewWatch? {
        let previews = job.request.previews ?? options.previews
        return previews.isOff ? nil : PreviewWatch(job, previews, self, deliver)
    }
}
