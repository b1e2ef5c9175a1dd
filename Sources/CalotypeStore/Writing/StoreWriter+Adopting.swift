import CalotypeBase
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Entries whose file exists before the entry.
extension StoreWriter {
    /// Returns an unused path for an unfinished file.
    func newTempPath(_ outcome: inout WriteOutcome) throws(StoreError) -> String {
        try withIndex(&outcome) { session throws(StoreError) in session.temp.nextPath() }
    }

    /// Makes an unfinished file the body of a new entry. If that fails, deletes the file, and keeps the earlier entry.
    func adopt(_ path: String, as row: NewRow, _ outcome: inout WriteOutcome) throws(StoreError) {
        do throws(StoreError) {
            let replaced = try withIndex(&outcome) { session throws(StoreError) in
                try session.index.transaction { () throws(StoreError) in
                    try blobs.publish(path, as: row.name)
                    return try session.index.insert(row)
                }
            }
            blobs.remove(replaced)
            outcome.written += 1
            outcome.largestWritten = max(outcome.largestWritten, row.size)
        } catch {
            FileSystem.remove(path)
            blobs.remove([row.name])
            outcome.failed += 1
            throw error
        }
    }

    /// Makes the file of an entry that of a second entry, too.
    ///
    /// - Parameter row: Returns the row of the second entry for the checksums of the body's blocks.
    /// - Returns: `false` if the first entry does not exist.
    func link(
        _ name: BlobName, _ outcome: inout WriteOutcome, as row: (_ sums: Data?) -> NewRow
    ) throws(StoreError) -> Bool {
        let (temp, sums) = try withIndex(&outcome) { session throws(StoreError) in
            guard try session.index.contains(name) else { return (nil, nil) as (String?, Data?) }
            return (session.temp.nextPath(), try session.index.blockSums(of: name))
        }
        guard let temp, hardLink(blobs.layout.path(of: name), temp) == 0 else { return false }
        try adopt(temp, as: row(sums), &outcome)
        return true
    }

    private func hardLink(_ old: String, _ new: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.link(old, new)
        #else
            Darwin.link(old, new)
        #endif
    }
}
