import CalotypeBase

/// Counts the decodes and encodes that have begun, and the renditions in progress.
final class RenditionWork: Sendable {
    private let traffic = Locked(TrafficPeak(least: 1))
    private let decoded = AtomicInteger(0)
    private let encoded = AtomicInteger(0)
    private let together = AtomicInteger(0)

    var decodes: Int { decoded.load() }
    var encodes: Int { encoded.load() }

    /// The number of renditions in progress: being looked for, waiting, or being made.
    var inProgress: Int { traffic.withLock { $0.inFlight } }

    /// The number of results that shared their decode with results of other sizes.
    var sharing: Int { together.load() }

    func beginsDecode() { _ = decoded.add(1) }

    /// - Parameter isShared: Whether results of other sizes had the same decode.
    func beginsEncode(isShared: Bool = false) {
        _ = encoded.add(1)
        if isShared { _ = together.add(1) }
    }

    func begins() { traffic.withLock { $0.begin() } }
    func ends() { traffic.withLock { $0.end() } }

    /// Returns `true` once each time the renditions in progress have dropped to a quarter of their maximum.
    func hasCalmedDown() -> Bool { traffic.withLock { $0.hasCalmedDown() } }
}
