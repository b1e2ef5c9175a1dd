/// The parsed command line.
struct Arguments {
    enum Action {
        case help, list, gate
        case measure([Scenario])
    }

    static let help = """
        Measures each scenario beside its baseline in the same run, and prints the ratio to reach beside the one reached.

        Usage: calotype-benchmarks [--quick] [--json] [--list] [NAME ...]
               calotype-benchmarks --gate [--json]
               calotype-benchmarks simulate [--images N] [--seed N]

          --gate    a few rows that hardly depend on what else the machine does, against limits; fails beyond them
          --quick   fewer and smaller rounds
          --json    one object a line instead of a table
          --list    the names, and what they measure
          NAME      only these scenarios; all without any. A name that ends in * stands for all that begin with it
          simulate  hit ratios, machines and prices of fleets, by a simulation without network: simulate --help

        Figures of a machine that does something else at the same time mean little; their ratios mean more.
        """

    private(set) var action = Action.measure(Scenario.all)
    private(set) var isQuick = false
    private(set) var isJSON = false

    init(_ words: [String]) throws(UsageError) {
        var chosen: [Scenario] = []
        for word in words {
            switch word {
            case "--quick": isQuick = true
            case "--json": isJSON = true
            case "--list": action = .list
            case "--gate": action = .gate
            case "--help", "-h": action = .help
            default: chosen += try Self.scenarios(word)
            }
        }
        if case .measure = action, !chosen.isEmpty { action = .measure(chosen) }
    }

    private static func scenarios(_ word: String) throws(UsageError) -> [Scenario] {
        if word.hasPrefix("-") { throw UsageError(message: "unknown option \(word); --help lists them") }
        let found = Scenario.all.filter {
            word.hasSuffix("*") ? $0.name.hasPrefix(word.dropLast()) : $0.name == word
        }
        guard found.isEmpty else { return found }
        let names = Scenario.all.map { "  \($0.name)" }.joined(separator: "\n")
        throw UsageError(message: "no scenario is called \(word). There are:\n\(names)")
    }
}

struct UsageError: Error {
    let message: String
}
