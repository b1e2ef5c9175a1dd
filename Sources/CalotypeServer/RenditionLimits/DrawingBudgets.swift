import CalotypeBase
import CalotypeCodecs

/// The processor time for drawings of each host, and of the local files together.
final class DrawingBudgets: Sendable {
    private let budgets = Locked<[ByteString: DrawingBudget]>([:])
    private let clock: any Clock<Duration>

    /// The processor time of a host in a minute, besides that of quick drawings.
    static let limit = Duration.seconds(20)
    /// The time in which a budget fills up by the longest drawing, in seconds: 5 of 20 s a minute.
    static let pause = 15
    /// The number of hosts that are remembered: with more, those that have used little count as new.
    private static let most = 1024

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// - Parameter host: The host of a source, or an empty text for a local file.
    func budget(of host: String) -> DrawingBudget {
        let host = ByteString(host).lowercasedASCII
        return budgets.withLock { budgets in
            if let known = budgets[host] { return known }
            if budgets.count >= Self.most { budgets = budgets.filter { !$0.value.isFull } }
            if budgets.count >= Self.most, let fullest = budgets.max(by: { $0.value.allowance < $1.value.allowance }) {
                budgets[fullest.key] = nil
            }
            let new = DrawingBudget(Self.limit, clock: clock)
            budgets[host] = new
            return new
        }
    }
}
