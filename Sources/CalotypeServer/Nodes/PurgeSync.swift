import CalotypeBase
import Foundation

/// The purges of a fleet: learns them from the far store and from other nodes, each in a loop that does not wait for the
/// other.
///
/// Until the list of purges is complete, nothing is sent that was stored before the start. It is complete after the far
/// store's whole list, the list of one node whose own is complete, or those of all nodes, as when all of them start.
final class PurgeSync: Sendable {
    /// The pause between two updates.
    static let interval = Duration.seconds(10)

    /// A random number by which the node recognizes itself among the others.
    let number: ByteString
    private let control: PurgeControl
    private let bucket: BucketSync?
    private let peers: (any PurgePeers)?
    private let unknown: UnknownPurges
    private let clock: any Clock<Duration>
    private let time: Stopwatch
    private let wallClock: WallClock
    private let repeated: RepeatedReports
    private let state: Locked<State>
    private let tasks = Locked<[Task<Void, Never>]>([])

    private struct State {
        var knowledge: PurgeKnowledge
        /// The nodes' numbers of the last purges that were learnt from them.
        var places: [NodeAddress: PurgePage.Place] = [:]
        /// The time of the last note that the list is complete, in seconds since 1970.
        var lastNote = 0.0
    }

    init(
        _ control: PurgeControl, _ basis: ServerBasis, peers: (any PurgePeers)?, bucket: BucketFeed?,
        unknown: UnknownPurges = .send
    ) {
        (self.control, self.peers, self.unknown) = (control, peers, unknown)
        repeated = RepeatedReports(basis.report, wallClock: basis.wallClock)
        self.bucket = bucket.map { BucketSync($0, control, basis) }
        (clock, wallClock, time) = (basis.clock, basis.wallClock, Stopwatch(basis.clock))
        number = ByteString((0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined())
        let knowledge = PurgeKnowledge(hasBucket: bucket != nil, hasPeers: peers != nil, unknown)
        state = Locked(State(knowledge: knowledge))
        bucket?.setReadable(false)
        if isUsed { control.list.hide(before: wallClock.now) }
    }

    deinit { stop() }

    private var isUsed: Bool { bucket != nil || peers != nil }

    func start() {
        guard isUsed else { return }
        let listing = bucket.map { _ in
            Task.detached { [weak self, clock] in
                repeat { await self?.updateFromBucket() } while await clock.slept(for: Self.interval)
            }
        }
        let asking = peers.map { _ in
            Task.detached { [weak self, clock] in
                repeat { await self?.updateFromNodes() } while await clock.slept(for: Self.interval)
            }
        }
        let waiting = Task.detached { [weak self, clock] in
            guard await clock.slept(for: PurgeKnowledge.readyLimit) else { return }
            self?.state.withLock { $0.knowledge.hasWaited = true }
        }
        tasks.withLock { $0 = [waiting] + [listing, asking].compactMap(\.self) }
    }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    // MARK: State

    private var knowledge: PurgeKnowledge { state.withLock { $0.knowledge } }

    /// Whether another node may rely on this one's list.
    var isComplete: Bool { knowledge.isReliable(at: time.elapsed()) }

    /// The reason why load balancers are to send no requests; `nil` if they may.
    var unreadiness: String? { isUsed ? knowledge.unreadiness(at: time.elapsed()) : nil }

    /// The reason why no requests are answered; `nil` if they are.
    var refusal: String? { isUsed && unknown == .refuse ? knowledge.refusal(at: time.elapsed()) : nil }

    /// The time for the identities of new purges, in seconds since 1970: this node's, unless that is known to be wrong.
    var now: Double { wallClock.now + knowledge.lead }

    /// - Throws: 503 if the clock is so wrong that purges of now would not cover what they have to once it is right.
    func checkClock() throws(ServerError) {
        let knowledge = knowledge
        if !knowledge.learns { throw ServerError(503, knowledge.clockReason ?? "the clock is wrong", retryAfter: 10) }
    }

    /// Writes the object of a purge. One that cannot be written is tried again at each update.
    ///
    /// - Returns: The reason why it is not written; `nil` if it is.
    func publish(_ purge: Purge) async -> String? {
        // Before the first list, the clock may be wrong.
        knowledge.isListed ? await bucket?.publish(purge) : "its purges have not been listed yet"
    }

    private func noteLead(_ lead: ClosedRange<Double>?) -> Bool {
        let knowledge = state.withLock { state in
            state.knowledge.noteLead(lead)
            return state.knowledge
        }
        if let reason = knowledge.clockReason { repeated.add(reason) }
        return knowledge.learns
    }

    // MARK: Updates

    func updateFromNodes() async {
        guard let peers else { return }
        let begun = wallClock.now
        await learnAbsence(at: begun)
        let nodes = await pull(peers)
        await conclude(begun, isCurrent: nodes.isComplete) { $0.noteAnswers(of: nodes, at: time.elapsed()) }
    }

    /// Learns the purges in the far store, and writes those that this store owes.
    func updateFromBucket() async {
        await bucket?.inTurn { [self] bucket in
            let begun = wallClock.now
            await learnAbsence(at: begun)
            let isListed = await bucket.pull(begun) { [self] in noteLead($0) }
            await conclude(begun, isCurrent: isListed) { if isListed { $0.noteList(at: time.elapsed()) } }
            await bucket.publishOwed(now)
        }
    }

    /// Takes note of the outcome of an update, and shows what it permits.
    private func conclude(_ begun: Double, isCurrent: Bool, _ note: (inout PurgeKnowledge) -> Void) async {
        guard !Task.isCancelled else { return }
        let elapsed = time.elapsed()
        let knowledge = state.withLock { state in
            note(&state.knowledge)
            return state.knowledge
        }
        if knowledge.isComplete {
            let isCutOff = unknown == .make && knowledge.isCutOff(at: elapsed)
            control.list.hide(before: isCutOff ? wallClock.now - PurgeKnowledge.silence / .seconds(1) : nil)
        }
        bucket?.feed.setReadable(knowledge.isFarUsable(at: elapsed))
        if isCurrent { await self.note(begun) }
    }

    /// The purges are gone that a node has missed which was away for longer than they last.
    private func learnAbsence(at now: Double) async {
        let oldest = now - (bucket?.feed.age ?? control.memory)
        guard control.heardBefore > 0, control.heardBefore < oldest, state.withLock({ $0.lastNote == 0 }) else {
            return
        }
        try? await control.learn([Purge(.all, isHard: true, id: PurgeID(time: oldest, number: 0), learnt: oldest)])
    }

    private func note(_ begun: Double) async {
        guard state.withLock({ abs(begun - $0.lastNote) >= Purge.lateness }) else { return }
        state.withLock { $0.lastNote = begun }
        await control.note(heard: begun)
    }

    // MARK: Other nodes

    struct Nodes {
        var hasAnswered = false
        /// Whether a node has sent its whole list, which is complete.
        var isComplete = false
        /// Whether all nodes have sent their whole lists.
        var isWhole = false
    }

    private func pull(_ peers: any PurgePeers) async -> Nodes {
        var nodes = Nodes()
        // More than the pages of a full list.
        for _ in 0..<512 where knowledge.learns {
            let answers = await peers.purges(after: state.withLock { $0.places }, from: number)
            let pages = answers.compactMap { answer in answer.page.map { (answer.node, $0) } }
            do throws(ServerError) { try await control.learn(pages.flatMap(\.1.purges)) } catch { return nodes }
            state.withLock { for (node, page) in pages { $0.places[node] = page.place } }
            nodes.hasAnswered = answers.contains { $0.hasAnswered }
            nodes.isComplete = pages.contains { $0.1.isEnd && $0.1.isComplete }
            guard pages.contains(where: { !$0.1.isEnd }) else {
                nodes.isWhole = !answers.isEmpty && answers.allSatisfy { $0.page != nil || $0.isSelf }
                return nodes
            }
        }
        return nodes
    }
}
