package import CalotypeBase
import CalotypeStore
import Foundation

/// The file of purges beside a server's store, which several processes share. Its calls block.
///
/// A line is complete or damaged. A damaged one, such as that of a writer that was killed, may have purged anything, so
/// it counts as a hard purge of everything: the first process that sees it writes that purge in its place.
package final class PurgeFile: Sendable {
    /// The maximum number of purges.
    static let lineLimit = 10_000
    /// The maximum size of the file, in bytes.
    static let sizeLimit = 16 << 20

    /// The purges of the file, as read last.
    struct Reading: Sendable {
        fileprivate(set) var lines: [PurgeLine] = []
        /// A number that every change of `lines` raises.
        fileprivate(set) var revision = 0
        /// The file when it was read; `nil` before it exists.
        fileprivate var version: LineFile.Version?
        /// The size of the file, in bytes.
        fileprivate var size = 0
        /// The purge in place of damaged lines that could not be replaced.
        fileprivate var unwritten: PurgeLine?

        fileprivate mutating func set(_ lines: [PurgeLine], _ version: LineFile.Version?, size: Int) {
            if lines != self.lines { revision += 1 }
            (self.lines, self.version, self.size, unwritten) = (lines, version, size, nil)
        }
    }

    private let file: LineFile
    private let wallClock: WallClock
    private let report: @Sendable (String) -> Void
    private let known = Locked(Reading())

    package convenience init(
        inStore folder: String, wallClock: WallClock = .system, report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init("\(folder)/purges", wallClock: wallClock, report: report)
    }

    init(_ path: String, wallClock: WallClock = .system, report: @escaping @Sendable (String) -> Void = { _ in }) {
        file = LineFile(path)
        self.wallClock = wallClock
        self.report = report
    }

    /// Creates the file, so that a server can read it even if an administrator purges first.
    func create() throws(ServerError) {
        do throws(StoreError) {
            try file.locked { () throws(StoreError) in
                if try file.version() == nil { try file.append(Data()) {} }
            }
        } catch {
            throw ServerError(500, "the purges cannot be kept", reason: "the file of purges cannot be made: \(error)")
        }
    }

    // MARK: Reading

    /// Reads the lines that other processes have written. If the file is gone, the known purges stay in force.
    ///
    /// - Throws: 500 if the file cannot be read.
    func read() throws(ServerError) -> Reading {
        do throws(StoreError) {
            if try readLines() { try repair() }
            return known.withLock { $0 }
        } catch {
            throw ServerError(500, "the purges cannot be read", reason: "the purges cannot be read: \(error)")
        }
    }

    /// - Returns: Whether the file has damaged lines, or the beginning of one. Another process may be writing that.
    private func readLines() throws(StoreError) -> Bool {
        guard let version = try file.version() else { return false }
        guard version != known.withLock({ $0.version }) else { return false }
        // As a whole: even a longer file with the same number may be another one.
        let bytes = [UInt8](try file.read())
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let texts = bytes[..<end].split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        let read = texts.map { PurgeLine($0) }
        let lines = read.compactMap(\.self)
        if end < bytes.count || lines.count < read.count { return true }
        known.withLock { $0.set(lines, version, size: end) }
        return false
    }

    /// Replaces damaged lines. If that fails, everything is purged in this process alone.
    private func repair() throws(StoreError) {
        do throws(StoreError) {
            try file.locked { () throws(StoreError) in try repairLocked() }
        } catch {
            try known.withLock { known throws(StoreError) in
                guard known.unwritten == nil else { return }
                let everything = PurgeLine(time: wallClock.now, .all, isHard: true)
                known.unwritten = everything
                known.lines.append(everything)
                known.revision += 1
                throw error
            }
        }
    }

    /// Replaces damaged lines. Requires the lock, so that no line is still being written.
    private func repairLocked() throws(StoreError) {
        guard try readLines() else { return }
        var texts = [UInt8](try file.read()).split(separator: 0x0A, omittingEmptySubsequences: false)
        if texts.last?.isEmpty == true { texts.removeLast() }
        let read = texts.map { PurgeLine($0) }
        var lines = read.compactMap(\.self)
        // Otherwise, only the last line feed is missing.
        let isDamaged = lines.count < read.count
        if isDamaged { lines.append(PurgeLine(time: wallClock.now, .all, isHard: true)) }
        try write(lines)
        // Not before: each attempt to write would report the same damage.
        if isDamaged { report("the file of purges has a damaged line, which counts as a hard purge of all sources") }
    }

    private func write(_ lines: [PurgeLine]) throws(StoreError) {
        let bytes = Data(lines.map(\.text).joined())
        try file.replace(with: bytes)
        let version = try file.version()
        known.withLock { $0.set(lines, version, size: bytes.count) }
    }

    // MARK: Writing

    /// Appends a purge. When the call returns, the line survives a loss of power.
    ///
    /// - Parameter found: Called with the purges of the file, the new one among them, as soon as other processes can read
    ///   them.
    /// - Returns: The line, whose time is that of its writing.
    /// - Throws: 429 if the file has too many purges, 500 if it cannot be written.
    func append(
        _ target: PurgeTarget, isHard: Bool, isRepeated: Bool = false, found: ([PurgeLine]) -> Void
    ) throws(ServerError) -> PurgeLine {
        let draft = PurgeLine(time: 0, target, isHard: isHard, isRepeated: isRepeated)
        return try append([draft], found: found)[0]
    }

    /// Appends purges, all of them or none, with the time of their writing in place of their own.
    func append(_ drafts: [PurgeLine], found: ([PurgeLine]) -> Void) throws(ServerError) -> [PurgeLine] {
        let lines: [PurgeLine]?
        do throws(StoreError) {
            lines = try file.locked { () throws(StoreError) in
                try repairLocked()
                return try appendLocked(drafts, found)
            }
        } catch {
            throw ServerError(500, "the purge is not recorded", reason: "the purge is not recorded: \(error)")
        }
        guard let lines else { throw .tooManyPurges }
        return lines
    }

    /// Appends a purge, for a process that is no server.
    package func append(_ target: PurgeTarget, isHard: Bool) throws(ServerError) -> PurgeLine {
        try append(target, isHard: isHard) { _ in }
    }

    /// - Returns: `nil` if the file has too many purges.
    private func appendLocked(
        _ drafts: [PurgeLine], _ found: ([PurgeLine]) -> Void
    ) throws(StoreError) -> [PurgeLine]? {
        let before = known.withLock { $0 }
        let now = wallClock.now
        let new = drafts.map { PurgeLine(time: now, $0.target, isHard: $0.isHard, isRepeated: $0.isRepeated) }
        let text = Data(new.map(\.text).joined())
        guard before.lines.count + new.count <= Self.lineLimit, before.size + text.count <= Self.sizeLimit else {
            return nil
        }
        let lines = before.lines + new
        try file.append(text) { found(lines) }
        let version = try file.version()
        known.withLock { $0.set(lines, version, size: version?.size ?? 0) }
        return new
    }

    /// Removes purges whose entries are deleted.
    func drop(_ done: Set<PurgeLine>) throws(ServerError) {
        do throws(StoreError) {
            try file.locked { () throws(StoreError) in
                try repairLocked()
                let lines = known.withLock { $0.lines }
                let kept = lines.filter { !done.contains($0) }
                if kept.count < lines.count { try write(kept) }
            }
        } catch {
            throw ServerError(500, "the purges are not changed", reason: "the purges are not changed: \(error)")
        }
    }

    // MARK: The last sweep

    private var sweepPath: String { "\(file.path).swept" }

    /// Runs `body` unless another process sweeps the store now.
    func sweeping(_ body: () async -> Void) async {
        guard let lock = try? FileLock(trying: "\(sweepPath).lock") else { return }
        await body()
        _ = consume lock
    }

    /// The time at which the last complete sweep of any process began, in seconds since 1970; 0 before the first one.
    var lastSweep: Double {
        let bytes = try? WholeFile.read(sweepPath, limit: 100)
        return bytes.flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    func noteSweep(begunAt time: Double) {
        // A sweep that is not noted is repeated.
        try? WholeFile.write([Data("\(time)".utf8)], to: sweepPath, isSynced: false)
    }
}

// The purges of the far store that the file has.
extension PurgeFile {
    private var farPath: String { "\(file.path).far" }

    var knownFarPurges: KnownFarPurges {
        let bytes = try? WholeFile.read(farPath, limit: Self.sizeLimit)
        return bytes.flatMap { KnownFarPurges($0) } ?? KnownFarPurges()
    }

    func note(_ known: KnownFarPurges) {
        // Purges are learned twice otherwise.
        try? WholeFile.write([known.text], to: farPath, isSynced: false)
    }
}

extension ServerError {
    static let tooManyPurges = ServerError(
        429, "there are too many purges (\(PurgeFile.lineLimit), or \(PurgeFile.sizeLimit >> 20) MiB): purge a prefix")
}
