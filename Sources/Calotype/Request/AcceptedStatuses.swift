/// The statuses whose bodies a request accepts as its image.
struct AcceptedStatuses: Sendable {
    /// The successes, 200–299.
    static let successes = AcceptedStatuses()

    let statuses: Set<Int>
    /// The part of the keys, such as "200-299,404"; `nil` for the successes.
    let key: String?

    private init() {
        statuses = Set(200...299)
        key = nil
    }

    init(_ statuses: Set<Int>) {
        self.statuses = statuses
        key = statuses == Self.successes.statuses ? nil : Self.text(of: statuses)
    }

    func contains(_ status: Int) -> Bool { key == nil ? (200...299).contains(status) : statuses.contains(status) }

    /// Returns the numbers in order, with a hyphen between the ends of each run of consecutive ones.
    private static func text(of statuses: Set<Int>) -> String {
        statuses.sorted().reduce(into: [ClosedRange<Int>]()) { runs, status in
            guard let last = runs.last, last.upperBound + 1 == status else { return runs.append(status...status) }
            runs[runs.count - 1] = last.lowerBound...status
        }.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }
}
