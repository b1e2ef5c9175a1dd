import CalotypeBase
import CalotypeStore
import Foundation

struct CacheCheck {
    let directory: String

    func findings() async -> [Finding] {
        guard FileManager.default.fileExists(atPath: directory) else { return [unused] }
        guard LocalPath(text: directory).isFolder else {
            return [Finding(.problem, "cache", "\(directory) is not a directory")]
        }
        guard access(directory, W_OK) == 0 else {
            return [Finding(.problem, "cache", "\(directory) is not writable, so nothing is cached")]
        }
        return await contents()
    }

    /// The finding for a missing directory: a problem unless its nearest existing parent is writable. Creates nothing.
    private var unused: Finding {
        var place = (directory as NSString).deletingLastPathComponent
        while !place.isEmpty, place != "/", !FileManager.default.fileExists(atPath: place) {
            place = (place as NSString).deletingLastPathComponent
        }
        guard access(place.isEmpty ? "." : place, W_OK) == 0 else {
            return Finding(.problem, "cache", "\(directory) does not exist, and \(place) is not writable")
        }
        return Finding(.ok, "cache", "\(directory): not used yet")
    }

    private func contents() async -> [Finding] {
        let problems = Locked<[String]>([])
        let store = DiskStore(
            directory: directory, options: .keepingAll,
            onProblem: { problem in problems.withLock { $0.append("\(problem)") } })
        var findings: [Finding] = []
        do throws(StoreError) {
            let statistics = try await store.statistics()
            let found = try await store.verify()
            let size = "\(Amounts.bytes(statistics.bytes)) of \(Amounts.bytes(statistics.byteLimit))"
            let text = "\(directory): \(Amounts.count(statistics.entries, "image")), \(size)"
            findings.append(Finding(.ok, "cache", text))
            if !found.isClean { findings.append(Finding(.problem, "cache", VerificationRecord(found).summary)) }
            try await store.close()
        } catch {
            findings.append(Finding(.problem, "cache", "\(directory): \(error)"))
        }
        return findings + problems.withLock { $0 }.map { Finding(.problem, "cache", $0) }
    }
}
