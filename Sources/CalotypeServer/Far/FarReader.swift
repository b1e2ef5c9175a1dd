import CalotypeBase
import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// Reads pages: one lookup for all requests for a page at the same time, within a time limit.
///
/// A lookup that fails, or that the far store's condition forbids, is a miss.
final class FarReader: Sendable {
    /// The time for which a lookup's outcome is remembered, in seconds.
    static let memory = 1.0
    /// The number of outcomes to remember. Beyond it, the oldest is forgotten.
    private static let memoryLimit = 4096

    /// The outcome of a lookup a moment ago.
    enum Recent: Error {
        /// The store has no page, or one that purges cover, or did not answer.
        case nothing
        /// The near store got the page.
        case found
    }

    private struct State {
        var breaker = FarBreaker()
        var pace = FarPace()
        var recent = FailureMemory<ByteString, Recent, Double>(limit: FarReader.memoryLimit)
        var inProgress = 0
    }

    private let store: FarStore
    private let timeout: Duration
    /// The maximum number of lookups in progress. A further one is a miss at once.
    private let limit: Int
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let wallClock: WallClock
    private let counters: FarCounters
    private let report: @Sendable (String) -> Void
    private let pageReports: RepeatedReports
    private let state = Locked(State())
    private let flights = Coordinator<FarName, Never, FarPage?, Interruption>(
        cancelled: .cancelled, startsInPlace: true)
    private let removals = BackgroundFlights<FarName, FarName>(limit: 16)

    /// - Parameters:
    ///   - limit: The maximum number of lookups in progress.
    ///   - report: Called with a line for each change of the store's condition, and for each page that is no page.
    init(
        _ store: FarStore, timeout: Duration, limit: Int, _ counters: FarCounters, _ clocks: ServerClocks,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.store, self.timeout, self.limit, self.counters) = (store, timeout, limit, counters)
        (clock, wallClock, self.report) = (clocks.clock, clocks.wallClock, report)
        time = Stopwatch(clocks.clock)
        pageReports = RepeatedReports(report, wallClock: clocks.wallClock)
    }

    /// The number of requests that wait for lookups.
    var waiters: Int { flights.waiterCount }

    /// Whether results are read, as far as the purges of other nodes permit it.
    var isPermitted: Bool { store.reading.isOpen }

    func recent(_ name: FarName) -> Recent? {
        let now = wallClock.now
        return state.withLock { $0.recent.failure(for: name.text, at: now) }
    }

    /// Returns the page with a name, or `nil` if the far store has no page that may be used.
    ///
    /// - Parameter keep: Puts the page into the near store, or returns `false` if purges cover it. Called before any caller
    ///   gets the page.
    func page(_ name: FarName, keep: @escaping @Sendable (FarPage) async -> Bool) async -> FarPage? {
        guard isPermitted else {
            _ = counters.skips.add(1)
            return nil
        }
        return try? await flights.value(for: name) { [self] _ in
            guard let page = await lookUp(name) else { return .success(nil) }
            let isKept = await keep(page)
            remember(isKept ? .found : .nothing, name)
            return .success(page)
        }
    }

    private func lookUp(_ name: FarName) async -> FarPage? {
        guard begins() else {
            _ = counters.skips.add(1)
            return nil
        }
        _ = counters.lookups.add(1)
        defer { state.withLock { $0.inProgress -= 1 } }
        do throws(TransportError) {
            let data = try await read(name)
            noteSuccess()
            guard let data else { return missed(name) }
            return checked(data, name)
        } catch {
            return failed(error, name)
        }
    }

    private func begins() -> Bool {
        let now = time.elapsed()
        return state.withLock { state in
            let isProbe = state.breaker.isOpen
            guard state.inProgress < limit, state.breaker.permits(at: now), isProbe || state.pace.looks() else {
                return false
            }
            state.inProgress += 1
            return true
        }
    }

    private func read(_ name: FarName) async throws(TransportError) -> Data? {
        try await withTimeout(timeout, clock: clock, timedOut: .timedOut, cancelled: .cancelled) {
            [store] () async throws(TransportError) in
            try await store.objects.read(store.name(name.text), limit: FarPage.limit)
        }
    }

    // MARK: Outcomes

    private func missed(_ name: FarName) -> FarPage? {
        _ = counters.misses.add(1)
        remember(.nothing, name)
        return nil
    }

    /// The time by which the clock of a page's writer may be ahead of ours, in seconds.
    static let lead = 5.0

    private func checked(_ data: Data, _ name: FarName) -> FarPage? {
        let page: FarPage
        do throws(FarPageFault) { page = try FarPage(data, key: name.key) } catch {
            if error == .otherFields {
                // Another build may write them.
                pageReports.add("the far store: \(store.name(name.text)) counts as absent: \(error)")
            } else {
                remove(name, because: error)
            }
            return missed(name)
        }
        guard page.latestTime <= wallClock.now + Self.lead else {
            pageReports.add("the far store: a page from the future counts as absent: the clocks of two nodes differ")
            return missed(name)
        }
        _ = counters.hits.add(1)
        state.withLock { $0.pace.found() }
        return page
    }

    private func failed(_ error: TransportError, _ name: FarName) -> FarPage? {
        switch error.code {
        case .cancelled: return nil
        case .bodyTooLarge:
            noteSuccess()
            remove(name, because: .tooLarge)
            return missed(name)
        case .timedOut: _ = counters.timeouts.add(1)
        default: _ = counters.failures.add(1)
        }
        // A request may look twice: it waits for a silent store once.
        remember(.nothing, name)
        let now = time.elapsed()
        if state.withLock({ $0.breaker.failed(at: now) }) == .opened {
            report("the far store cannot be read, and counts as empty until it can: \(error)")
        }
        return nil
    }

    private func noteSuccess() {
        if state.withLock({ $0.breaker.succeeded() }) == .closed { report("the far store can be read again") }
    }

    private func remember(_ recent: Recent, _ name: FarName) {
        let end = wallClock.now + Self.memory
        state.withLock { $0.recent.remember(recent, for: name.text, until: end) }
    }

    /// Removes bytes that are no page, so that they are not read again.
    private func remove(_ name: FarName, because fault: FarPageFault) {
        let object = store.name(name.text)
        pageReports.add("the far store: \(object) is no page of this server, and is removed: \(fault)")
        removals.start(name) { [store, pageReports] in
            do throws(TransportError) { try await store.objects.remove(object) } catch {
                pageReports.add("the far store: \(object) could not be removed: \(error)")
            }
        }
    }
}
