import CalotypeBase
import CalotypeHTTP
import CalotypeURLs

/// The credentials of one bucket's places. They are renewed five minutes before their end, once for all requests, and
/// serve until their end if the renewal fails.
final class RenewedCredentials: Sendable {
    private struct State {
        var known: TimedCredentials?
        /// The error of the last renewal, if it failed.
        var failure: TransportError?
        /// The time before which no further renewal begins.
        var pause = -Double.infinity
        /// The time before which no further credentials are dropped.
        var dropPause = -Double.infinity
    }

    private let places: [CredentialPlace]
    private let reader: CredentialReader
    private let wallClock: WallClock
    private let state = Locked(State())
    private let flights = Coordinator<Int, Never, TimedCredentials, TransportError>(cancelled: .cancelled)
    private let renewals = BackgroundFlights<Int, Int>(limit: 1)

    /// Whether a renewal is in progress for which no caller waits.
    var isRenewing: Bool { renewals.count > 0 }

    /// The time before their end from which credentials are renewed, in seconds.
    static let head = 300.0
    /// The pause between two renewals, in seconds.
    static let patience = 10.0

    init(_ places: [CredentialPlace], _ reader: CredentialReader, _ wallClock: WallClock) {
        (self.places, self.reader, self.wallClock) = (places, reader, wallClock)
    }

    /// Returns credentials that have not ended. Waits only if there are none.
    ///
    /// - Throws: An error with the reasons of all places. For ten seconds, further calls throw the same error.
    func current() async throws(TransportError) -> SigV4.Credentials {
        let now = wallClock.now
        let (known, failure, isPausing) = state.withLock { ($0.known, $0.failure, now < $0.pause) }
        guard let known, known.isValid(at: now) else {
            if isPausing, let failure { throw failure }
            // Its place has just given it: the clock may be wrong, and the store decides.
            if isPausing, let known { return known.credentials }
            return try await renewed(insteadOf: known).credentials
        }
        if !known.isValid(at: now + Self.head), !isPausing {
            renewals.start(0) { [self] in _ = try? await renewed(insteadOf: known) }
        }
        return known.credentials
    }

    /// Forgets credentials that the store has refused, unless others are known already. Returns `false` if some were
    /// dropped within the last ten seconds: then another attempt would only ask the same places again.
    func drop(_ refused: SigV4.Credentials) -> Bool {
        let now = wallClock.now
        return state.withLock { state in
            guard state.known?.credentials == refused else { return true }
            guard now >= state.dropPause else { return false }
            state.known = nil
            state.dropPause = now + Self.patience
            return true
        }
    }

    /// - Parameter seen: The credentials that the caller has found known.
    func renewed(insteadOf seen: TimedCredentials?) async throws(TransportError) -> TimedCredentials {
        try await flights.value(for: 0) { [self] _ in
            // A renewal may have ended since the caller looked.
            if let known = state.withLock({ $0.known }), known.credentials != seen?.credentials {
                return .success(known)
            }
            let result = await Result(awaiting: { () async throws(TransportError) in try await read() })
            state.withLock { state in
                switch result {
                case .success(let found): (state.known, state.failure) = (found, nil)
                // No waiter is left: nothing is known about the places.
                case .failure where Task.isCancelled: return
                case .failure(let error): state.failure = error
                }
                state.pause = wallClock.now + Self.patience
            }
            return result
        }
    }

    private func read() async throws(TransportError) -> TimedCredentials {
        var reasons: [String] = []
        for place in places {
            do throws(CredentialError) {
                if let found = try await reader.credentials(at: place) { return found }
            } catch {
                // The next place may have other permissions than this one, which is configured.
                reasons.append("\(error)")
                break
            }
        }
        if reasons.isEmpty {
            if case .profile(let name, let files) = places.first, places.count == 1 {
                reasons = ["the profile \(name.quoted) has none in \(files.joined(separator: " and "))"]
            } else {
                reasons = ["neither variables nor files nor this machine's services have any"]
            }
        }
        throw TransportError(.other, "there are no credentials for the bucket: \(reasons.joined(separator: "; "))")
    }
}

extension TimedCredentials {
    fileprivate func isValid(at time: Double) -> Bool { end.map { time < $0 } ?? true }
}
