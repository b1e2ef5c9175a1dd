package import CalotypeBase

/// The purges in force, which a cache asks about its stored responses.
///
/// A purge is a time: a response that was *requested* until then is stale or absent, whenever it was stored.
package protocol Purges: Sendable {
    /// A number that every change of the purges raises, after the change. If it is the same as before, so is the
    /// judgement of every key.
    var generation: Int { get }

    /// Returns the times of the purges that cover a cache key.
    func moments(of key: ByteString) -> PurgeMoments
}

/// The times of the last purges that cover a key, in seconds since 1970.
package struct PurgeMoments: Hashable, Sendable {
    /// Responses requested until this time are stale. `-infinity` without such a purge.
    package private(set) var stale = -Double.infinity
    /// Responses requested until this time are absent. `-infinity` without such a purge.
    package private(set) var absent = -Double.infinity

    /// Responses requested until this time are absent for now, and stay stored: it is not known yet which purges cover
    /// them. `-infinity` if all purges are known.
    private var hidden = -Double.infinity

    package static let none = PurgeMoments()

    package init(stale: Double = -.infinity, absent: Double = -.infinity) {
        (self.stale, self.absent) = (stale, absent)
    }

    package mutating func add(_ other: PurgeMoments) {
        stale = max(stale, other.stale)
        absent = max(absent, other.absent)
    }

    package mutating func hide(until time: Double) { hidden = max(hidden, time) }

    /// The purges alone, without the responses that are absent for now.
    package var known: PurgeMoments { PurgeMoments(stale: stale, absent: absent) }

    /// Returns the effect on a response.
    ///
    /// A response from the future was requested before the clock was set back. Whether that was before a purge is
    /// unknown, so each purge of the key covers it.
    package func effect(onRequestAt time: Double, now: Double) -> PurgeEffect {
        guard self != .none else { return .none }
        let isFuture = time > now + 1
        if time <= absent || isFuture && absent > -.infinity { return .absent }
        if time <= hidden || isFuture && hidden > -.infinity { return .absent }
        if time <= stale || isFuture && stale > -.infinity { return .stale(since: min(stale, now)) }
        return .none
    }
}

/// The effect of purges on a stored response.
package enum PurgeEffect: Hashable, Sendable {
    case none
    /// The response is stale from this time on, in seconds since 1970.
    case stale(since: Double)
    case absent
}
