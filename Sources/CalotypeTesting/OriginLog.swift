import ResourceProvider

/// What an origin has seen.
struct OriginLog {
    /// Requests, and bytes of their bodies: what is beyond is counted, not kept.
    static let requestLimit = 100_000
    static let byteLimit = 256 << 20

    private(set) var requests: [OriginRequest] = []
    private(set) var count = 0
    private(set) var notKept = 0
    private(set) var inFlight = 0
    private(set) var peak = 0
    private(set) var disconnects = 0
    private var bytes = 0
    private var countsByPath: [String: Int] = [:]

    func count(ofPath path: String?) -> Int {
        guard let path else { return count }
        return countsByPath[path] ?? 0
    }

    mutating func begin(_ request: OriginRequest) {
        count += 1
        inFlight += 1
        peak = max(peak, inFlight)
        if countsByPath.count < Self.requestLimit || countsByPath[request.path] != nil {
            countsByPath[request.path, default: 0] += 1
        }
        guard requests.count < Self.requestLimit, bytes + request.body.count <= Self.byteLimit else {
            notKept += 1
            return
        }
        bytes += request.body.count
        requests.append(request)
    }

    mutating func land() { inFlight -= 1 }
    mutating func noteDisconnect() { disconnects += 1 }
}

/// One request on its way through the origin; lands once.
final class Flight: Sendable {
    private let log: Watched<OriginLog>
    private let hasLanded = Locked(false)

    init(_ log: Watched<OriginLog>) {
        self.log = log
    }

    deinit { land() }

    func land() {
        let isFirst = hasLanded.withLock { hasLanded in
            defer { hasLanded = true }
            return !hasLanded
        }
        if isFirst { log.update { $0.land() } }
    }
}
