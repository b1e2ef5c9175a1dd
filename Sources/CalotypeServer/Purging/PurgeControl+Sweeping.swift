import CalotypeBase
import CalotypeStore
import Foundation

// Deleting the entries that purges cover, and dropping purges whose entries are gone.

extension PurgeControl {
    func sweepIfDue() async {
        guard isSweepDue else { return }
        let isFree = state.withLock { state in
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        guard isFree else { return }
        defer { state.withLock { $0.isSweeping = false } }
        guard let file else { return await sweepNow() }
        await file.sweeping {
            // Another process may have swept the store since this one looked.
            let lastSweep = (try? await thread.run { () throws(Interruption) in file.lastSweep }) ?? 0
            state.withLock { $0.swept = max($0.swept, min(lastSweep, wallClock.now)) }
            if isSweepDue { await sweepNow() }
        }
    }

    /// Whether a purge has entries that no sweep has deleted, or is to be dropped; or the clock has been set back.
    private var isSweepDue: Bool {
        let now = wallClock.now
        let (swept, failed, isSetBack) = state.withLock { ($0.swept, $0.failedSweep, $0.isSetBack) }
        guard abs(now - failed) >= Self.sweepDelay else { return false }
        return list.lines.contains { line in
            let due = line.time + Self.sweepDelay
            return isSetBack || line.isDone(at: now, after: memory) || now < swept || due <= now && due > swept
        }
    }

    private func sweepNow() async {
        let begun = wallClock.now
        let isSetBack = takeSetBack(at: begun)
        // Later responses than the purge count as absent only until the clock has caught up with them.
        if isSetBack { await forget() }
        let outcome = await sweep.run { [repeated] in repeated.add($0) }
        if outcome.metFuture { await forget() }
        guard outcome.isComplete else { return noteFailedSweep(begun, isSetBack: isSetBack) }
        let done = Set(list.lines.filter { $0.isDone(at: begun, after: memory) })
        state.withLock { state in
            state.swept = begun
            state.unwritten.removeAll { done.contains($0) }
        }
        guard let file else { return await drop(done) }
        do throws(ServerError) {
            let (gone, _) = try await thread.run { [self] () throws(ServerError) in
                file.noteSweep(begunAt: begun)
                if !done.isEmpty { try file.drop(done) }
                return try changes(of: file)
            }
            // The file never had the purges that could not be written, so they are not gone from it.
            await drop(gone.union(done))
        } catch {
            noteFailedSweep(begun, isSetBack: false)
            if error != .cancelled { repeated.add(error.reason) }
        }
    }

    /// Returns whether memory may have responses from before the clock was set back, and takes note that the caller
    /// forgets them.
    private func takeSetBack(at now: Double) -> Bool {
        state.withLock { state in
            guard state.isSetBack || now < state.swept else { return false }
            (state.isSetBack, state.latest) = (false, now)
            return true
        }
    }

    private func noteFailedSweep(_ begun: Double, isSetBack: Bool) {
        state.withLock { state in
            state.failedSweep = begun
            if isSetBack { state.isSetBack = true }
        }
    }
}

extension PurgeLine {
    /// Whether the purge is so old that the next sweep deletes its entries, and the purge itself is dropped.
    fileprivate func isDone(at now: Double, after memory: Double) -> Bool { coveredUntil + memory <= now }
}
