import CalotypeBase
import CalotypeHTTP
import Foundation

/// The stage for originals. Requests for the same original share one request to the source and one read of its bytes.
final class Originals: Sendable {
    private let flights = OriginalFlights(cancelled: .cancelled, startsInPlace: true)
    private let bodies = BodyFlights(cancelled: .cancelled, startsInPlace: true)
    private let decisions = StoreDecisions()
    /// The number of originals that each layer has returned.
    private let counts = Locked([ImageResponse.Origin: Int]())
    private let budget: BodyBudget
    private let revocations: Revocations
    private let problems: ProblemReports
    /// The policy for storing on disk, or `nil` if there is no store.
    private let storage: StoragePolicy?

    init(storage: StoragePolicy?, _ budget: BodyBudget, _ revocations: Revocations, _ problems: ProblemReports) {
        self.storage = storage
        self.budget = budget
        self.revocations = revocations
        self.problems = problems
    }

    func claim(_ job: Job, within flight: ImageFlights.Flight?) async throws(ImageError) -> Claim {
        Claim(try await original(job, skipsDisk: false, within: flight))
    }

    /// Calls `use` with the original and its bytes as soon as the budget allows them. Calls `onUpdate` with each update, unless
    /// there is a flight, which gets them.
    ///
    /// If the stored bytes have disappeared by then, asks the store again, which may have new bytes. If those have
    /// disappeared too, or if stored bytes are not an image, loads the original from its source, once.
    func withBytes<Result>(
        _ job: Job, _ claim: consuming Claim, within flight: ImageFlights.Flight?,
        onUpdate: (@Sendable (LoadUpdate) -> Void)? = nil,
        _ use: (Original, Original.Bytes) async throws(ImageError) -> Result
    ) async throws(ImageError) -> Result {
        var (skipsDisk, wasGone) = (false, false)
        while true {
            // Whether the bytes in use came from the store; `nil` before they are read, and for a failure, which other
            // requests expect to be stored even if its body is not an image.
            var wasStored: Bool?
            do throws(ImageError) {
                let original =
                    if let claimed = claim.take() { claimed } else {
                        try await original(job, skipsDisk: skipsDisk, within: flight, onUpdate: onUpdate)
                    }
                let bytes = try await bytes(of: original, job, within: flight, onUpdate: onUpdate)
                if !original.isFailure { wasStored = original.wasStored }
                return try await use(original, bytes)
            } catch {
                if error.isLostBody, !wasGone {
                    wasGone = true
                    continue
                }
                let isLost =
                    if let wasStored { await removesImage(after: error, wasStored, job) } else { error.isLostBody }
                guard isLost, !skipsDisk, job.request.rules.mayLoad || job.source.isLocal else { throw error }
                skipsDisk = true
            }
        }
    }

    /// Removes stored bytes that are not an image. Returns whether they were stored before this request, so that
    /// loading them again may help.
    private func removesImage(after error: ImageError, _ wasStored: Bool, _ job: Job) async -> Bool {
        guard error.code == .notAnImage || error.code == .damagedImage else { return false }
        await remove(job)
        if wasStored { problems.report("stored bytes were not an image and have been removed: \(error)", error) }
        return wasStored
    }

    /// Removes the stored original in a separate task, so that the removal completes even if the caller is cancelled.
    func remove(_ job: Job) async {
        await Task { [problems] in
            do throws(ImageError) {
                try await job.source.removeStored()
            } catch {
                let message = "stored bytes were not removed, because the request could not be prepared"
                problems.report("\(message): \(error)", error)
            }
        }.value
    }

    func endAll(with error: ImageError) {
        flights.endAll(with: error)
        bodies.endAll(with: error)
    }

    var flightCount: Int { flights.count }
    var waiterCount: Int { flights.waiterCount }
    var countsByOrigin: [ImageResponse.Origin: Int] { counts.withLock { $0 } }

    // MARK: The work of a flight

    /// Returns the original. The work runs in the given flight's task, or in a separate one if there is no flight.
    ///
    /// All sizes and steps of a source share one load until the head has arrived. If the body is not stored, they share
    /// it until the whole body has arrived, since the source may not send the body again.
    ///
    /// - Parameter skipsDisk: `true` if the stored original is unusable.
    private func original(
        _ job: Job, skipsDisk: Bool, within flight: ImageFlights.Flight?,
        onUpdate: (@Sendable (LoadUpdate) -> Void)? = nil
    ) async throws(ImageError) -> Original {
        guard let storage else {
            let key = job.originalFlight(usesStore: false)
            return try await original(job, key, .never, within: flight, onUpdate: onUpdate)
        }
        let key = job.originalFlight(skipsDisk: skipsDisk)
        let decision = join(key, storage, job)
        defer { decisions.leave(key) }
        return try await original(job, key, decision, within: flight, onUpdate: onUpdate)
    }

    private func original(
        _ job: Job, _ key: OriginalFlightKey, _ decision: StoreDecision, within flight: ImageFlights.Flight?,
        onUpdate: (@Sendable (LoadUpdate) -> Void)?
    ) async throws(ImageError) -> Original {
        let original = try await flights.value(
            for: key, within: flight, priority: job.request.livePriority, onUpdate: onUpdate
        ) { [self] flight in await open(job, key, decision, flight) }
        if let bytes = job.madeOf, original.identity?.text != bytes { throw .superseded(job.url) }
        return original
    }

    private func open(
        _ job: Job, _ key: OriginalFlightKey, _ decision: StoreDecision, _ flight: OriginalFlights.Flight
    ) async -> Result<Original, ImageError> {
        if revocations.isCancelled(since: job.mark) { return .failure(.cancelled) }
        do throws(ImageError) {
            let order = OriginalOrder(
                policy: job.request.rules, readsDisk: key.readsDisk, isConfirming: key.isConfirming, decision: decision,
                onUpdate: { flight.report($0) })
            let original = try await job.source.open(order)
            counts.withLock { $0[original.origin, default: 0] += 1 }
            return .success(original)
        } catch {
            // No request can use this response: remove what is stored of it.
            if error.code == .bodyTooLarge || error.code == .dataIsEmpty {
                decision.refuse()
                await remove(job)
            }
            return .failure(error)
        }
    }

    /// Returns the bytes. Concurrent readers of a stored body share one read.
    private func bytes(
        of original: Original, _ job: Job, within flight: ImageFlights.Flight?,
        onUpdate: (@Sendable (LoadUpdate) -> Void)?
    ) async throws(ImageError) -> Original.Bytes {
        if let bytes = original.bytes { return bytes }
        return try await bodies.value(
            for: BodyFlightKey(original), within: flight, priority: job.request.livePriority, onUpdate: onUpdate
        ) { [self] flight in
            do throws(TransportError) {
                return .success(try await read(original, flight))
            } catch {
                return .failure(ImageError(error, url: job.url))
            }
        }
    }

    private func read(
        _ original: Original, _ flight: BodyFlights.Flight
    ) async throws(TransportError) -> Original.Bytes {
        let expected = original.expectedLength
        let reservation: BodyBudget.Reservation
        do throws(Interruption) {
            reservation = try await budget.reserve(stored: expected ?? 0)
        } catch {
            throw error == .overloaded ? .overloaded : .cancelled
        }
        // Another flight may have read the bytes during the wait.
        if let bytes = original.bytes { return bytes }
        let body = ReceivedBody(arrival: ArrivingBody(expecting: expected, isPersonal: false), reservation: reservation)
        defer { body.drop() }
        // Report progress without the body: previews of a stored body would take longer than reading it.
        let bytes = try await body.collect(original.body) { received in
            flight.report(LoadUpdate(progress: LoadProgress(received: received, expected: expected)))
        }
        // Share the bytes before the flight ends, so that a later request finds either the flight or the bytes.
        original.share(bytes)
        return bytes
    }

    private func join(_ key: OriginalFlightKey, _ storage: StoragePolicy, _ job: Job) -> StoreDecision {
        // Do not capture the job: it refers to the options and thus the exchange, and a request refers to this closure,
        // so an exchange that keeps its requests would retain itself.
        decisions.join(key, granting: storage.extent(for: job)) {
            [revocations, source = job.sourceKey, mark = job.mark] in
            revocations.isRemoved(source, since: mark)
        }
    }
}

extension StoragePolicy {
    fileprivate func extent(for job: Job) -> StoreDecision.Extent {
        guard job.request.caching.contains(.writeDisk) else { return .nothing }
        if keepsOriginals, !isAutomatic || job.isPlain { return .whole }
        // A stored head suffices to determine whether the processed image is still valid.
        return storesProcessedImages && !job.isPlain ? .head : .nothing
    }
}

/// How much of each response may be stored, for all downloads in progress. Requests that share a download share its
/// decision, which grants the widest extent that any of them allows.
private final class StoreDecisions: Sendable {
    private let table = Locked([OriginalFlightKey: (decision: StoreDecision, users: Int)]())

    /// Returns the decision that all requests for the download of `key` share until `leave`. Requests that read the
    /// store and requests that skip it share one decision, because the HTTP cache runs one download for both.
    ///
    /// - Parameter isWithdrawn: Returns whether the source has been removed since the request arrived.
    func join(
        _ key: OriginalFlightKey, granting extent: StoreDecision.Extent,
        until isWithdrawn: @escaping @Sendable () -> Bool
    ) -> StoreDecision {
        let key = key.ofDownload
        let decision = table.withLock { table in
            let (decision, users) = table[key] ?? (StoreDecision(isWithdrawn: isWithdrawn), 0)
            table[key] = (decision, users + 1)
            return decision
        }
        decision.grant(extent)
        return decision
    }

    func leave(_ key: OriginalFlightKey) {
        let key = key.ofDownload
        table.withLock { table in
            guard let (decision, users) = table[key] else { return }
            table[key] = users > 1 ? (decision, users - 1) : nil
        }
    }
}
