import CalotypeBase
import Foundation

// The purges of other nodes, which come from the far store.

extension PurgeControl {
    /// Puts purges of other nodes in force as purges of now, because until now this process made results without regard
    /// to them. If they cannot be written, everything counts as purged in this process.
    ///
    /// - Parameter isRepeated: Whether an earlier call has failed with all of these purges: everything is purged already.
    /// - Returns: Whether later processes of the store have the purges, too.
    func learn(fromElsewhere others: [PurgeLine], isRepeated: Bool) async -> Bool {
        guard let file else {
            let now = wallClock.now
            addUnwritten(others.map { PurgeLine(time: now, $0.target, isHard: $0.isHard) })
            return true
        }
        do throws(ServerError) {
            try await thread.run { [self] () throws(ServerError) in try write(others, to: file) }
            return true
        } catch {
            if !isRepeated, error != .cancelled {
                report("\(error.reason): everything counts as purged")
                addUnwritten([PurgeLine(time: wallClock.now, .all, isHard: true)])
            }
            return false
        }
    }

    /// The purges of the far store that the stores have.
    var knownFarPurges: KnownFarPurges {
        let known = file?.knownFarPurges ?? KnownFarPurges()
        // The clock has been set back: purges between then and now may be unknown.
        return known.until <= wallClock.now + PurgeLine.clockReach ? known : KnownFarPurges()
    }

    func note(_ known: KnownFarPurges) async {
        try? await thread.run { [file] () throws(Interruption) in file?.note(known) }
    }

    private func write(_ drafts: [PurgeLine], to file: PurgeFile) throws(ServerError) {
        let lines = try file.append(drafts) { addNew($0) }
        // The disk was slow, as in the case of a single purge.
        guard let first = lines.first, wallClock.now > first.coveredUntil else { return }
        let repeated = drafts.map { PurgeLine(time: 0, $0.target, isHard: $0.isHard, isRepeated: true) }
        _ = try file.append(repeated) { addNew($0) }
    }
}
