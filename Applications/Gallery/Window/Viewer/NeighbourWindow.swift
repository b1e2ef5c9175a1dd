/// The neighbours of the shown image to prefetch: two in the direction of the user's last move, and one behind.
///
/// Its functions only return the loads to start and to stop; the caller performs them.
struct NeighbourWindow: Equatable, Sendable {
    struct Change: Equatable, Sendable {
        /// The positions to load, the most urgent first.
        var starts: [Int] = []
        var stops: [Int] = []
    }

    private var position: Int?
    /// The positions being prefetched. The shown position is included if its prefetch began before the image was shown.
    private(set) var loading: [Int] = []

    mutating func move(to position: Int, of count: Int) -> Change {
        let goesBack = self.position.map { position < $0 } ?? false
        self.position = position
        let direction = goesBack ? -1 : 1
        let wanted = [direction, 2 * direction, -direction].map { position + $0 }.filter { (0..<count).contains($0) }
        // Do not stop the prefetch of the image shown now: the viewer's request for the image joins it.
        let kept = wanted + loading.filter { $0 == position }
        defer { loading = kept }
        return Change(
            starts: wanted.filter { !loading.contains($0) }, stops: loading.filter { !kept.contains($0) })
    }

    mutating func leave() -> Change {
        defer { (position, loading) = (nil, []) }
        return Change(stops: loading)
    }
}
