/// The options of `calotype-benchmarks simulate`.
struct SimulationOptions: Sendable {
    static let help = """
        Simulates the caches of a fleet of calotype serve: no network, no file. Equal seeds print equal figures.

        Usage: calotype-benchmarks simulate [--images N] [--seed N]

          --images N   the number of simulated images, 100000 by default, 10000 to 1000000; each has four sizes
          --seed N     the seed of the requests, 1 by default

        A first part checks the simulation against known results, and fails with status 1 if one is wrong.
        """

    private(set) var images = 100_000
    private(set) var seed: UInt64 = 1
    private(set) var isHelp = false

    /// - Parameter words: The words behind `simulate`.
    init(_ words: ArraySlice<String>) throws(UsageError) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--images": images = Int(try words.number(of: word, in: 10_000...1_000_000))
            case "--seed": seed = UInt64(try words.number(of: word, in: 0...1e9))
            case "--help", "-h": isHelp = true
            default: throw UsageError(message: "unknown option \(word)\n\n\(Self.help)")
            }
        }
    }
}
