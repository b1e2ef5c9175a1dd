import CalotypeBase
import CalotypeCodecs

/// The previews of images in flight, made by previewers that all watchers of an image share.
final class Previews: Sendable {
    let resources: PreviewResources
    /// The previewers of each image before its steps: one for each value of `ImagePreviews` in the requests.
    private let table = Locked([ImageFlightKey: [(previewer: Previewer, users: Int)]]())

    init(_ resources: PreviewResources) { self.resources = resources }

    /// Watches the previews that the request asks for. Returns `nil` if it asks for no previews.
    func watch(_ job: Job, _ deliver: @escaping Previewer.Delivery) -> PreviewWatch? {
        let previews = job.request.previews ?? resources.options.previews
        return previews.isOff ? nil : PreviewWatch(job, previews, self, deliver)
    }

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

    func end(_ key: ImageFlightKey) {
        for (previewer, _) in table.withLock({ $0[key] ?? [] }) { previewer.end() }
    }
}

/// The stages that previewers call, and the memory that they share.
final class PreviewResources: Sendable {
    let options: ImageLoaderOptions
    let memory: MemoryStage
    let budget: BodyBudget
    let codecs: BlockingPool
    private let held = Locked(0)

    init(_ options: ImageLoaderOptions, _ memory: MemoryStage, _ budget: BodyBudget, _ codecs: BlockingPool) {
        self.options = options
        self.memory = memory
        self.budget = budget
        self.codecs = codecs
    }

    /// Reserves memory. Returns `false` if all preview sessions together would exceed half of `decodeBudget`.
    func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard bytes <= options.decodeBudget / 2 - held else { return false }
            held += bytes
            return true
        }
    }

    func release(_ bytes: Int) { held.withLock { $0 -= bytes } }
}

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
        previewer = previews.join(key, wanted) { Previewer(wanted, of: job, with: previews.resources) }
        id = previewer.add(job, deliver)
    }

    func offer(_ body: ArrivingBody) { previewer.offer(body) }

    func end() {
        previewer.remove(id)
        previews.leave(key, previewer)
    }
}
