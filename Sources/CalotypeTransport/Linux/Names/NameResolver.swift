package import CalotypeBase

/// Somebody who waits for the addresses of a name.
package final class NameQuestion: Sendable {
    package let name: ByteString
    /// Whose share of the threads the lookup takes.
    package let client: ByteString
    fileprivate let answer: @Sendable (NameAnswer) -> Void

    /// - Parameter answer: called on a thread of the resolver's, unless the question was withdrawn before.
    package init(_ name: ByteString, for client: ByteString, _ answer: @escaping @Sendable (NameAnswer) -> Void) {
        self.name = name
        self.client = client
        self.answer = answer
    }
}

/// Looks up host names on a few threads of its own, each name once for all who ask for it, and remembers the addresses for 60 s.
///
/// `getaddrinfo` cannot be interrupted. Those who wait may leave at once, but the thread stays taken until the name service
/// has answered or given up. A client therefore has a quarter of the threads at most, and of the queue. Clients take
/// turns.
///
/// Threads start when there is something to look up, and end when nothing is left. All transports of a process share one resolver.
package final class NameResolver: Sendable {
    /// The resolver of the process. Its number of threads goes by the limit of open files when it is first used: 32 for 1,024
    /// and more.
    static let shared = NameResolver(threads: DescriptorBudget.current.lookups)

    /// Nanoseconds for which addresses are remembered.
    private static let lifetime: UInt64 = 60_000_000_000
    /// Names that are remembered. When there are more, all are forgotten.
    private static let memoryLimit = 1024

    private let threadLimit: Int
    private let queueLimit: Int
    private let now: @Sendable () -> UInt64
    private let lookUp: @Sendable (String) -> NameAnswer
    private let state = Locked(NameQueue())

    /// - Parameters:
    ///   - threads: names that are looked up at the same time.
    ///   - queueLimit: names that may wait for that. One more is answered `overloaded`.
    ///   - now: nanoseconds of a monotonic clock.
    ///   - lookUp: asks the name service, and may block.
    package init(
        threads: Int, queueLimit: Int = 4096, now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
        lookUp: @escaping @Sendable (String) -> NameAnswer = { NameLookup.ask($0) }
    ) {
        threadLimit = max(threads, 1)
        self.queueLimit = max(queueLimit, 1)
        self.now = now
        self.lookUp = lookUp
    }

    /// How many names wait, and how many are being looked up.
    package var load: (waiting: Int, running: Int) { state.withLock { ($0.waiting, $0.running) } }

    /// Returns the answer if it is there already. If `nil`, the question gets it later.
    package func ask(_ question: NameQuestion) -> NameAnswer? {
        state.withLock { state in
            if let known = state.addresses(of: question.name, at: now()) { return .addresses(known) }
            guard state.add(question, limit: queueLimit) else { return .overloaded }
            if state.threads < threadLimit, state.mayStart(question.client, share: share) {
                if startThread(named: "calotype-names", { self.work() }) { state.threads += 1 }
                // With others those go on.
                if state.threads == 0 {
                    state.withdraw(question)
                    return .failed("the system has no thread for the lookup")
                }
            }
            return nil
        }
    }

    /// The question is not answered any more.
    package func withdraw(_ question: NameQuestion) {
        state.withLock { $0.withdraw(question) }
    }

    private var share: Int { max(threadLimit / 4, 1) }

    private func work() {
        while let lookup = state.withLock({ $0.next(share: share) }) {
            let answer = lookUp(lookup.name.string)
            let questions = state.withLock { state in
                if case .addresses(let addresses) = answer {
                    state.remember(addresses, of: lookup.name, until: now() + Self.lifetime, limit: Self.memoryLimit)
                }
                return state.finish(lookup)
            }
            for question in questions { question.answer(answer) }
        }
    }
}
