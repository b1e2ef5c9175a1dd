import CalotypeBase

/// The requests received by an origin server.
struct OriginLog {
    /// The maximum number of logged requests and of bytes in their bodies. Further requests are only counted.
    static let requestLimit = 100_000
    static let byteLimit = 256 << 20

    private(set) var requests: [OriginRequest] = []
    private(set) var count = 0
    private(set) var notKept = 0
    private(set) var inFlight: Set<UInt64> = []
    private(set) var peak = 0
    private(set) var disconnects = 0
    private var bytes = 0
    private var countsByPath: [ByteString: Int] = [:]

    func count(ofPath path: String?) -> Int {
        guard let path else { return count }
        return countsByPath[ByteString(path)] ?? 0
    }

    mutating func begin(_ request: OriginRequest, id: UInt64) {
        count += 1
        inFlight.insert(id)
        peak = max(peak, inFlight.count)
        let path = ByteString(request.path)
        if countsByPath.count < Self.requestLimit || countsByPath[path] != nil { countsByPath[path, default: 0] += 1 }
        guard requests.count < Self.requestLimit, bytes + request.body.count <= Self.byteLimit else {
            notKept += 1
            return
        }
        bytes += request.body.count
        requests.append(request)
    }

    /// Removes the request from `inFlight`. A second call does nothing.
    mutating func land(_ id: UInt64) { inFlight.remove(id) }

    mutating func end(_ id: UInt64, clientLeft: Bool) {
        land(id)
        if clientLeft { disconnects += 1 }
    }
}

/// A request in progress. The code that replies calls `land()` just before it sends the last byte, which removes the
/// request from `OriginLog.inFlight`.
struct Flight: Sendable {
    let id: UInt64
    let log: Watched<OriginLog>

    func land() {
        log.update { $0.land(id) }
    }
}
