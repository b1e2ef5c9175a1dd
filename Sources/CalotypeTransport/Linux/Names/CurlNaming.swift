import CalotypeBase
import CalotypeHTTP

/// The exchanges that wait for a name lookup and have no slot yet. Only curl's thread uses them.
final class CurlNaming {
    enum Outcome {
        case ready, waits
        case failed(TransportError)
    }

    private struct Wait {
        let exchange: CurlExchange
        let question: NameQuestion
        let start: UInt64
        let deadline: UInt64
    }

    private let resolver: NameResolver
    private let loop: CurlLoop
    private var waits: [ObjectIdentifier: Wait] = [:]
    /// The time of the next check for overdue exchanges, in nanoseconds of a monotonic clock.
    private(set) var deadline = UInt64.max

    init(_ resolver: NameResolver, _ loop: CurlLoop) {
        self.resolver = resolver
        self.loop = loop
    }

    var count: Int { waits.count }

    func begin(_ exchange: CurlExchange, at now: UInt64) -> Outcome {
        if let refusal = exchange.route.withLock({ $0.refusal }) { return .failed(refusal) }
        return goOn(exchange, since: now, now: now)
    }

    /// - Returns: `nil` if the exchange no longer waits.
    func take(_ answer: NameAnswer, for exchange: CurlExchange, at now: UInt64) -> Outcome? {
        guard let wait = waits.removeValue(forKey: ObjectIdentifier(exchange)) else { return nil }
        if let error = pass(exchange, answer) { return .failed(error) }
        return goOn(exchange, since: wait.start, now: now)
    }

    /// Withdraws the exchange's lookup. Returns `false` if the exchange waits for no lookup.
    func leave(_ exchange: CurlExchange) -> Bool {
        guard let wait = waits.removeValue(forKey: ObjectIdentifier(exchange)) else { return false }
        resolver.withdraw(wait.question)
        return true
    }

    /// Removes and returns the exchanges whose time for connecting is over.
    func overdue(at now: UInt64) -> [CurlExchange] {
        guard now >= deadline else { return [] }
        let late = waits.values.filter { $0.deadline <= now }.map(\.exchange)
        for exchange in late { _ = leave(exchange) }
        deadline = waits.values.map(\.deadline).min() ?? .max
        return late
    }

    func removeAll() -> [CurlExchange] {
        let all = waits.values.map(\.exchange)
        for exchange in all { _ = leave(exchange) }
        return all
    }

    /// Looks up the remaining names on the route, up to the first one whose answer is not available at once.
    private func goOn(_ exchange: CurlExchange, since start: UInt64, now: UInt64) -> Outcome {
        while let stop = exchange.route.withLock({ $0.nextStop }) {
            guard stop.isWellFormed else { return .failed(.cannotFind(stop.name)) }
            let site = ByteString(stop.site), client = exchange.request.client.map { ByteString($0) }
            let question = NameQuestion(
                ByteString(stop.name), for: client.map { "\($0) \(site)" } ?? site, of: client
            ) { [loop] answer in
                loop.post(.takeNames(exchange, answer))
            }
            guard let answer = resolver.ask(question) else {
                // Lookups count as connecting.
                let timeouts = exchange.request.timeouts
                let limit = min(timeouts.total ?? timeouts.connect, timeouts.connect)
                let deadline = start.advanced(bySaturating: limit)
                waits[ObjectIdentifier(exchange)] = Wait(
                    exchange: exchange, question: question, start: start, deadline: deadline)
                self.deadline = min(self.deadline, deadline)
                return .waits
            }
            if let error = pass(exchange, answer) { return .failed(error) }
        }
        exchange.route.withLock { $0.spent = now - start }
        return .ready
    }

    /// Adds the answer for the exchange's next name to its route. Returns an error if the lookup failed.
    private func pass(_ exchange: CurlExchange, _ answer: NameAnswer) -> TransportError? {
        guard let stop = exchange.route.withLock({ $0.nextStop }) else { return nil }
        switch answer {
        case .addresses(let addresses): return exchange.route.withLock { $0.pass(stop, addresses) }
        case .notFound: return .cannotFind(stop.name)
        case .failed(let reason): return .cannotFind(stop.name, reason)
        case .overloaded: return .overloaded
        }
    }
}

extension TransportError {
    fileprivate static func cannotFind(_ name: String, _ reason: String? = nil) -> TransportError {
        TransportError(.cannotFindHost, "the host \(name) cannot be found" + (reason.map { ": \($0)" } ?? ""))
    }

    static func lateName(_ exchange: CurlExchange) -> TransportError {
        let name = exchange.route.withLock { $0.nextStop?.name } ?? exchange.origin.host.string
        return TransportError(.timedOut, "no name server returned the address of \(name) in time")
    }
}
