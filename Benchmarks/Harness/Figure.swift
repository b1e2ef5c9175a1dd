/// The result of one comparison.
struct Figure: Sendable {
    /// The name of the row in the results, such as "memory-hit-url".
    let name: String
    /// The library's median, in `unit`.
    let ours: Double
    /// The baseline's median, in `unit`.
    let baseline: Double
    let baselineName: String
    /// The median of the pairs' ratios, ours ÷ baseline.
    let ratio: Double
    /// The smallest and the largest ratio of a pair.
    let spread: ClosedRange<Double>
    let unit: String
    let bar: Bar

    var isReached: Bool { bar.isReached(by: ratio) }
}

/// The ratio to reach.
enum Bar: Sendable {
    case atLeast(Double)
    case atMost(Double)
    case exactly(Double)

    /// The value of `better` in the JSON output: the direction in which the ratio improves.
    var better: String {
        switch self {
        case .atLeast: "higher"
        case .atMost: "lower"
        case .exactly: "equal"
        }
    }

    var limit: Double {
        switch self {
        case .atLeast(let limit), .atMost(let limit), .exactly(let limit): limit
        }
    }

    func isReached(by ratio: Double) -> Bool {
        switch self {
        case .atLeast(let limit): ratio >= limit
        case .atMost(let limit): ratio <= limit
        case .exactly(let limit): ratio == limit
        }
    }
}
