/// The parts of `calotype-benchmarks simulate`, in the order in which they are printed.
struct Simulation: Sendable {
    /// The numbers of images of the tables.
    static let universes = [1e6, 1e8, 1e10]
    /// The exponents of the tables.
    static let exponents = [0.8, 1.0]

    let options: SimulationOptions

    /// Prints all figures. Returns `false` if the simulation contradicts a known result.
    func run() -> Bool {
        let isRight = SimulationCheck(options).run()
        printHitRatios()
        printTiers()
        printNodes()
        printEmptyDisks()
        FleetCosts.printAll()
        return isRight
    }

    /// The number of simulated results.
    var results: Int { options.images * Popularity.sizes.count }
    /// The requests before a measurement, until the caches are full.
    var warmUp: Int { options.images * 20 }
    /// The requests of a measurement.
    var measured: Int { options.images * 10 }

    func clients(_ exponent: Double) -> SimulatedClients {
        SimulatedClients(images: options.images, exponent: exponent, seed: options.seed)
    }
}
