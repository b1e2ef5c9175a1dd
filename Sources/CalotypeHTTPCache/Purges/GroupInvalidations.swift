internal import CalotypeBase
internal import CalotypeHTTP

/// The times at which groups of responses were invalidated (RFC 9875 §3), by origin.
///
/// A time judges the responses wherever they are stored, also those that are still in flight. The table is bounded: times
/// of an origin that has no place become one time for all of its groups, which invalidates more than was demanded.
final class GroupInvalidations: Sendable {
    /// The maximum number of groups of all origins.
    static let limit = 16_384
    /// The maximum number of origins.
    static let originLimit = 1_024

    private struct Origin {
        var groups: [ByteString: Double] = [:]
        /// The time of the latest invalidation of all groups, and of any.
        var all = -Double.infinity, latest = -Double.infinity
    }

    private struct State {
        var origins: [ByteString: Origin] = [:]
        /// The number of groups of all origins.
        var count = 0
        /// The time of the latest invalidation of an origin that has been forgotten.
        var forgotten = -Double.infinity

        /// Makes the table smaller if it is too large. The origin with the most groups pays for them.
        mutating func shrink() {
            if count > GroupInvalidations.limit,
                let (name, origin) = origins.max(by: { $0.value.groups.count < $1.value.groups.count })
            {
                count -= origin.groups.count
                origins[name]?.all = origin.latest
                origins[name]?.groups = [:]
            }
            if origins.count > GroupInvalidations.originLimit,
                let (name, origin) = origins.min(by: { $0.value.latest < $1.value.latest })
            {
                count -= origin.groups.count
                forgotten = max(forgotten, origin.latest)
                origins[name] = nil
            }
        }
    }

    private let state = Locked(State())
    private let changes = AtomicInteger(0)

    /// A number that each invalidation raises, after it has taken effect.
    var generation: Int { changes.load() }

    func note(_ groups: CacheGroups, of origin: ByteString, at time: Double) {
        state.withLock { state in
            var known = state.origins.removeValue(forKey: origin) ?? Origin()
            state.count -= known.groups.count
            known.latest = max(known.latest, time)
            switch groups {
            case .all: (known.groups, known.all) = ([:], known.latest)
            case .named(let names): for name in names { known.groups[name] = known.latest }
            }
            state.count += known.groups.count
            state.origins[origin] = known
            state.shrink()
        }
        _ = changes.add(1)
    }

    /// Returns the time until which requested responses with these groups are invalid.
    func moments(of groups: CacheGroups, of origin: ByteString) -> PurgeMoments {
        guard generation > 0 else { return .none }
        return state.withLock { state in
            var time = state.forgotten
            if let known = state.origins[origin] {
                switch groups {
                case .all: time = max(time, known.latest)
                case .named(let names):
                    time = names.reduce(max(time, known.all)) { max($0, known.groups[$1] ?? -.infinity) }
                }
            }
            return PurgeMoments(absent: time)
        }
    }
}

extension ByteString {
    /// The origin of a URL in a key: scheme, host and port, without a user.
    var originOfURL: ByteString {
        withBytes { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.count > colon + 2 else { return self }
            let start = colon + 3
            let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
            let host = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
            return ByteString(bytes: Array(bytes[..<start]) + bytes[host..<end])
        }
    }
}
