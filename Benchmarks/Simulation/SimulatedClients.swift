import CalotypeTesting

/// A request for an image in one of its sizes.
struct SimulatedRequest {
    let image: Int
    let size: Int

    /// The number of the result.
    var result: Int { image * Popularity.sizes.count + size }
}

/// Clients that request images by their popularity, seeded.
struct SimulatedClients {
    private let images: Zipf
    private var random: SplitMix

    /// - Parameter exponent: The exponent of Zipf's law.
    init(images: Int, exponent: Double, seed: UInt64) {
        self.images = Zipf(count: images, exponent: exponent)
        random = SplitMix(seed: seed)
    }

    mutating func next() -> SimulatedRequest {
        let image = images.next(&random)
        return SimulatedRequest(image: image, size: Popularity.size(&random))
    }

    /// Sends requests to a fleet, and returns their outcomes.
    @discardableResult
    mutating func send(_ count: Int, to fleet: inout SimulatedFleet) -> SimulatedFleet.Counts {
        fleet.counts = SimulatedFleet.Counts()
        for _ in 0..<count { fleet.answer(next()) }
        return fleet.counts
    }
}
