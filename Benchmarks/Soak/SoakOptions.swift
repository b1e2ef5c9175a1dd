import Foundation

/// The options of a soak, as `Scripts/soak` takes them.
struct SoakOptions: Sendable {
    static let help = """
        Runs calotype serve under mixed load with faults, and fails for a wrong body or growing memory.

        Usage: Scripts/soak [--minutes N] [--memory SIZE] [--rate N] [--seed N] [--without-purges]

          --minutes N        the length, 60 by default, at least 1; a tenth of it follows around the limits
          --memory SIZE      the server's --memory, 512MB by default; none leaves the option out
          --rate N           requests a second, 40 by default
          --seed N           the seed of the load, 33 by default
          --without-purges   start the server without --admin and --admin-token, and purge nothing
          --disk DIR         a small file system for the store, which the soak may fill: Scripts/soak mounts one

        Wrong bodies stay in a folder that the report names.
        """

    private(set) var minutes = 60.0
    private(set) var memory: String? = "512MB"
    private(set) var rate = 40.0
    private(set) var seed: UInt64 = 33
    private(set) var purges = true
    private(set) var disk: String?
    private(set) var isHelp = false

    /// - Parameter words: The words behind `--soak`.
    init(_ words: ArraySlice<String>) throws(UsageError) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--minutes": minutes = try words.number(of: word, in: 1...1440)
            case "--rate": rate = try words.number(of: word, in: 1...1000)
            case "--seed": seed = UInt64(try words.number(of: word, in: 0...1e9))
            case "--memory":
                let size = try words.value(of: word)
                memory = size == "none" ? nil : size
            case "--disk": disk = try words.value(of: word)
            case "--without-purges": purges = false
            case "--help", "-h": isHelp = true
            default: throw UsageError(message: "unknown option \(word)\n\n\(Self.help)")
            }
        }
    }
}
