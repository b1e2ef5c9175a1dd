import CalotypeBase
import CalotypeServer
import CalotypeURLs
import Foundation

/// The task of `serve` that purges a store, whether or not servers run over it.
struct PurgeTask: Sendable {
    private let target: PurgeTarget
    private let isHard: Bool
    private let store: String
    private let front: FrontCache?
    /// Whether the servers have other nodes or a far store, which get purges from admin ports alone.
    private let isPartial: Bool

    /// The flags of the task, in the order of the help.
    static let flags: [Option] = [.purge, .purgePrefix, .purgeAll, .softPurge]

    /// Returns `nil` if no purge is asked for.
    init?(_ arguments: Arguments) throws(UsageError) {
        isHard = !arguments.has(.softPurge)
        guard let target = try arguments.purgeTarget() else {
            guard isHard else { throw arguments.error("--soft requires --purge, --purge-prefix or --purge-all") }
            return nil
        }
        self.target = target
        guard let store = try arguments.storeFolder() else {
            throw arguments.error("a purge requires --store DIR; without a store, servers take it on their admin port")
        }
        self.store = store
        front = try arguments.frontCache()
        isPartial = arguments.has(.far) || arguments.has(.nodes)
    }

    func run(_ console: Console) async -> ExitStatus {
        // A purge of a folder that no server uses would look like one that is in force.
        guard ["sources", "results"].contains(where: { LocalPath(text: "\(store)/\($0)").isFolder }) else {
            console.complain("serve: --store \(store): no server keeps its results here")
            return .failure
        }
        do throws(ServerError) {
            let table = PurgeTable(inStore: store, report: { console.complain("serve: \($0)") })
            let purge = try table.take(target, isHard: isHard)
            console.line(JSON.line(PurgeRecord(purge)))
            if isPartial {
                console.complain("serve: the purge is in force here, but not in a bucket of --far: ask an admin port")
            }
            guard let front, let reason = await FrontCalls(front).purge(purge).error else { return .success }
            console.complain("serve: --front: the purge is in force here, but not known to be in front: \(reason)")
            return .failure
        } catch {
            console.complain("serve: \(error)")
            return .failure
        }
    }
}

extension Arguments {
    fileprivate func purgeTarget() throws(UsageError) -> PurgeTarget? {
        for option in [Option.purge, .purgePrefix] where all(option).count > 1 {
            throw error("--\(option.name) may be given once: run the command for each URL")
        }
        do throws(RenditionError) {
            if let url = given(.purge) { return try .source(url.bytes) }
            if let url = given(.purgePrefix) { return try .prefix(url.bytes) }
            return has(.purgeAll) ? .all : nil
        } catch {
            throw self.error(has(.purge) ? .purge : .purgePrefix, error.message)
        }
    }
}

extension Option {
    static let purge = Option(
        "purge", nil, "URL", takesBytes: true,
        help: "Purge the results of this source from --store, and the source: in all its servers, within a second. "
            + "Other nodes and --far get purges from an admin port.")
    static let purgePrefix = Option(
        "purge-prefix", nil, "URL", takesBytes: true,
        help: "Purge all sources with this scheme, host and port, at this path or below it; the host may be a pattern.")
    static let purgeAll = Option("purge-all", help: "Purge all sources.")
    static let softPurge = Option(
        "soft", help: "With a purge: make results and sources stale. They stay if the origin confirms them.")
}
