import CalotypeBase
import CalotypeCodecs

/// The previews of images whose bytes are coming: one previewer for each image before its steps, shared by all who watch.
final class Previews: Sendable {
    let options: ImageLoaderOptions
    let memory: MemoryStage
    let room: Room
    let codecs: BlockingPool
    /// By the image before its steps, for which requests may want different previews.
    private let table = Locked([ImageFlightKey: [(previewer: Previewer, users: Int)]]())
    private let held = Locked(0)
    /// The bytes that all previewers may hold between previews.
    private let heldLimit: Int

    init(_ options: ImageLoaderOptions, _ memory: MemoryStage, _ room: Room, _ codecs: BlockingPool) {
        self.options = options
        self.memory = memory
        self.room = room
        self.codecs = codecs
        heldLimit = options.decodeBudget / 2
    }

    /// Watches the previews that the request asks for; `nil` if it asks for none.
    func watch(_ job: Job, _ deliver: @escaping Previewer.Delivery) -> PreviewWatch? {
        let previews = job.request.previews ?? options.previews
        return previews.isOff ? nil : PreviewWatch(job, previews, self, deliver)
    }

    /// Returns `false` if there is no room.
    func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard bytes <= heldLimit - held else { return false }
            held += bytes
            return true
        }
    }

    func release(_ bytes: Int) { held.withLock { $0 -= bytes } }

    fileprivate func join(_ key: ImageFlightKey, _ wanted: ImagePreviews, make: () -> Previewer) -> Previewer {
        table.withLock { table in
            var entries = table[key] ?? []
            defer { table[key] = entries }
            if let index = entries.firstIndex(where: { $0.previewer.wanted == wanted }) {
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

/// A caller that watches the previews of an image.
struct PreviewWatch {
    private let previews: Previews
    private let key: ImageFlightKey
    private let previewer: Previewer
    private let id: UInt64

    fileprivate init(
        _ job: Job, _ wanted: ImagePreviews, _ previews: Previews, _ deliver: @escaping Previewer.Delivery
    ) {
        self.previews = previews
        key = job.beforeSteps.imageFlight
        previewer = previews.join(key, wanted) { Previewer(wanted, of: job, in: previews) }
        id = previewer.add(job, deliver)
    }

    func offer(_ body: ArrivingBody) { previewer.offer(body) }

    /// Nothing is delivered afterwards.
    func end() {
        previewer.remove(id)
        previews.leave(key, previewer)
    }
}
