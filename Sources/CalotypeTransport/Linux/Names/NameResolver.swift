import CalotypeBase

final class NameQuestion: Sendable {
    let name: ByteString
    /// The client whose limit on threads includes this lookup: one that asks, or the name servers of the name.
    let client: ByteString
    /// The one for whom several clients ask, such as the client of a server; `nil` for none. It leaves as many threads free as
    /// its lookups have.
    let group: ByteString?
    fileprivate let answer: @Sendable (NameAnswer) -> Void

    /// - Parameter answer: Called on a thread of the resolver, unless the question has been withdrawn.
    init(
        _ name: ByteString, for client: ByteString, of group: ByteString? = nil,
        _ answer: @escaping @Sendable (NameAnswer) -> Void
    ) {
        self.name = name
        self.client = client
        self.group = group
        self.answer = answer
    }
}

/// A resolver that looks up names on a limited number of threads and caches addresses, for 60 s by default. Concurrent
/// questions about a name share one lookup.
///
/// `getaddrinfo` cannot be interrupted: even if all questions are withdrawn, the thread is busy until the name service
/// answers or gives up. A client therefore gets at most a quarter of the threads and of the queue. Clients take turns. A
/// group of clients gets only as many threads as it leaves free, and three quarters of the queue.
///
/// Threads start with the first lookup, and end when no names wait. All transports of a process share one resolver.
final class NameResolver: Sendable {
    /// The resolver of the process. The number of its threads depends on the process's limit on open files, read at the
    /// first use: 32 for 1,024 files or more.
    static let shared = NameResolver(threads: DescriptorBudget.current.lookups)

    /// The maximum number of names in the cache. When it is reached, the cache is emptied.
    private static let memoryLimit = 1024

    private let threadLimit: Int
    private let queueLimit: Int
    private let lifetime: UInt64
    private let now: @Sendable () -> UInt64
    private let lookUp: @Sendable (String) -> NameAnswer
    private let state = Locked(NameQueue())

    /// - Parameters:
    ///   - queueLimit: The maximum number of waiting names. Further names get `overloaded`. The default is 4,096.
    ///   - lifetime: The time for which addresses are cached, in nanoseconds. The default is 60 s.
    ///   - now: Returns the nanoseconds of a monotonic clock.
    ///   - lookUp: Asks the name service. It may block.
    init(
        threads: Int, queueLimit: Int = 4096, lifetime: UInt64 = 60_000_000_000,
        now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
        lookUp: @escaping @Sendable (String) -> NameAnswer = { NameLookup.ask($0) }
    ) {
        threadLimit = max(threads, 1)
        self.queueLimit = max(queueLimit, 1)
        self.lifetime = lifetime
        self.now = now
        self.lookUp = lookUp
    }

    var load: (waiting: Int, running: Int) { state.withLock { ($0.waiting, $0.running) } }

    /// Returns the answer if it is cached or the question cannot be queued. Otherwise, the question gets it later.
    func ask(_ question: NameQuestion) -> NameAnswer? {
        state.withLock { state in
            if let known = state.addresses(of: question.name, at: now()) { return .addresses(known) }
            guard state.add(question, limit: queueLimit) else { return .overloaded }
            if state.threads < threadLimit, state.mayStart(question.client, share: share, of: threadLimit) {
                if startThread(named: "calotype-names", { self.work() }) { state.threads += 1 }
                // If no thread is running, the question would never get an answer.
                if state.threads == 0 {
                    state.withdraw(question)
                    return .failed("the system has no thread for the lookup")
                }
            }
            return nil
        }
    }

    /// Withdraws the question. Its closure is then not called any more.
    func withdraw(_ question: NameQuestion) {
        state.withLock { $0.withdraw(question) }
    }

    private var share: Int { max(threadLimit / 4, 1) }

    private func work() {
        while let lookup = state.withLock({ $0.next(share: share, of: threadLimit) }) {
            let answer = lookUp(lookup.name.string)
            let questions = state.withLock { state in
                if case .addresses(let addresses) = answer {
                    state.remember(addresses, of: lookup.name, until: now() + lifetime, limit: Self.memoryLimit)
                }
                return state.finish(lookup)
            }
            for question in questions { question.answer(answer) }
        }
    }
}
