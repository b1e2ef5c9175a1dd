import Foundation

extension StoreReader {
    struct VerifiedPage: Sendable {
        var checked = 0
        var damaged: [(name: BlobName, problem: StoreProblem)] = []
        /// The position of the last row, after which the next page begins; `nil` if there are no more rows.
        var last: Int64?
    }

    func verifyPage(after position: Int64) throws(StoreError) -> VerifiedPage {
        try withIndex(or: VerifiedPage()) { index throws(StoreError) in
            var page = VerifiedPage()
            for (position, key, row) in try index.rows(after: position, limit: 64) {
                page.last = position
                page.checked += 1
                switch try examine(row) {
                case .found: break
                case .damaged(let what):
                    page.damaged.append(
                        (row.name, StoreProblem(.damagedEntry, key: key, "an entry was deleted: \(what)")))
                case .gone where try index.contains(row.name):
                    page.damaged.append(
                        (row.name, StoreProblem(.missingBody, key: key, "an entry was deleted: its file is gone")))
                case .gone: page.checked -= 1
                }
            }
            return page
        }
    }
}

extension StoreWriter {
    /// Verifies the structure of the index, the files and the totals. Adds the results to those of the entries.
    func verifyRest(_ entries: StoreVerification) -> (StoreVerification, WriteOutcome) {
        var result = entries
        var outcome = WriteOutcome()
        upkeep(&outcome) { session, _ throws(StoreError) in
            if let damage = try session.index.structuralDamage() {
                // This error makes `upkeep` replace the index, and run the closure again with the empty one.
                result.indexWasReplaced = true
                throw StoreError(.indexDamaged, damage)
            }
            result.orphans = try removeOrphans(session)
            result.totalsWereWrong = try session.index.correctTotals()
        }
        return (result, outcome)
    }
}
