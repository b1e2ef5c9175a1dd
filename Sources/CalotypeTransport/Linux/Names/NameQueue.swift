import CalotypeBase

/// A name that waits for its lookup or is being looked up.
final class NameJob {
    let name: ByteString
    fileprivate var questions: [ObjectIdentifier: NameQuestion] = [:]
    /// The name's tickets in the queues of the clients that asked for it.
    fileprivate var tickets: [ByteString: PriorityLanes<NameJob>.Ticket] = [:]
    /// The client whose limit on threads includes this lookup, or `nil` while the name waits.
    fileprivate var owner: Client?

    fileprivate init(_ name: ByteString) { self.name = name }
}

private final class Client {
    let name: ByteString
    let group: ByteString?
    var running = 0
    var queue = PriorityLanes<NameJob>()
    var turn: PriorityLanes<Client>.Ticket?

    init(_ name: ByteString, _ group: ByteString?) { (self.name, self.group) = (name, group) }
}

/// The clients that take turns, the names that they wait for, and the known addresses.
struct NameQueue {
    /// The number of running lookup threads.
    var threads = 0
    private(set) var running = 0
    private(set) var waiting = 0
    private var jobs: [ByteString: NameJob] = [:]
    private var clients: [ByteString: Client] = [:]
    /// The waiting names and the lookups of the groups.
    private var groups: [ByteString: (waiting: Int, running: Int)] = [:]
    /// The clients with waiting names, in the order of their turns. A client whose lookup starts goes to the end.
    private var line = PriorityLanes<Client>()
    private var known: [ByteString: (addresses: [String], until: UInt64)] = [:]

    func addresses(of name: ByteString, at now: UInt64) -> [String]? {
        known[name].flatMap { $0.until > now ? $0.addresses : nil }
    }

    mutating func remember(_ addresses: [String], of name: ByteString, until end: UInt64, limit: Int) {
        if known.count >= limit { known = [:] }
        known[name] = (addresses, end)
    }

    /// - Parameter limit: The maximum number of waiting names. One client may use a quarter of it, one group three quarters.
    /// - Returns: `false` if the queue, or that part of it, is full.
    mutating func add(_ question: NameQuestion, limit: Int) -> Bool {
        let job = jobs[question.name] ?? NameJob(question.name)
        if job.owner == nil, job.tickets[question.client] == nil {
            let client = clients[question.client] ?? Client(question.client, question.group)
            guard waiting < limit, client.queue.count < max(limit / 4, 1),
                client.group.map({ groups[$0]?.waiting ?? 0 < max(limit * 3 / 4, 1) }) ?? true
            else { return false }
            clients[client.name] = client
            job.tickets[client.name] = client.queue.push(job, priority: .normal)
            waiting += 1
            count(client, waiting: 1)
            putInLine(client)
        }
        job.questions[ObjectIdentifier(question)] = question
        jobs[question.name] = job
        return true
    }

    mutating func withdraw(_ question: NameQuestion) {
        guard let job = jobs[question.name],
            job.questions.removeValue(forKey: ObjectIdentifier(question)) != nil, job.owner == nil
        else { return }
        if !job.questions.values.contains(where: { $0.client == question.client }) {
            takeOut(job, of: question.client)
        }
        if job.questions.isEmpty { jobs[job.name] = nil }
    }

    /// Returns `true` if the client has a waiting name and fewer lookups in progress than its share.
    ///
    /// - Parameter limit: The maximum number of lookups in progress.
    func mayStart(_ name: ByteString, share: Int, of limit: Int) -> Bool {
        clients[name].map { hasRoom($0, share, limit) && !$0.queue.isEmpty } ?? false
    }

    private func hasRoom(_ client: Client, _ share: Int, _ limit: Int) -> Bool {
        guard client.running < share else { return false }
        guard let group = client.group, let own = groups[group]?.running, own > 0 else { return true }
        return own < limit - running
    }

    private mutating func count(_ client: Client, waiting: Int = 0, running: Int = 0) {
        guard let name = client.group else { return }
        var group = groups[name] ?? (0, 0)
        group.waiting += waiting
        group.running += running
        groups[name] = group == (0, 0) ? nil : group
    }

    /// Returns the next name to look up. `nil` ends the thread: each client is idle, or it or its group has its share.
    mutating func next(share: Int, of limit: Int) -> NameJob? {
        var full: [Client] = []
        defer { for client in full { putInLine(client) } }
        while let client = line.pop() {
            client.turn = nil
            guard hasRoom(client, share, limit) else {
                full.append(client)
                continue
            }
            guard let job = client.queue.peek()?.element else { continue }
            job.owner = client
            client.running += 1
            running += 1
            count(client, running: 1)
            for name in Array(job.tickets.keys) { takeOut(job, of: name) }
            putInLine(client)
            return job
        }
        threads -= 1
        return nil
    }

    /// - Returns: The questions that still wait for the name.
    mutating func finish(_ job: NameJob) -> [NameQuestion] {
        jobs[job.name] = nil
        running -= 1
        if let client = job.owner {
            client.running -= 1
            count(client, running: -1)
            dropIfIdle(client)
        }
        return Array(job.questions.values)
    }

    private mutating func takeOut(_ job: NameJob, of name: ByteString) {
        guard let ticket = job.tickets.removeValue(forKey: name), let client = clients[name] else { return }
        client.queue.remove(ticket)
        waiting -= 1
        count(client, waiting: -1)
        dropIfIdle(client)
    }

    private mutating func putInLine(_ client: Client) {
        if client.turn == nil, !client.queue.isEmpty { client.turn = line.push(client, priority: .normal) }
    }

    private mutating func dropIfIdle(_ client: Client) {
        guard client.queue.isEmpty else { return }
        if let turn = client.turn { line.remove(turn) }
        client.turn = nil
        if client.running == 0 { clients[client.name] = nil }
    }
}
