import CalotypeBase

/// What a node knows of the purges of others. Its times are those since the start.
struct PurgeKnowledge {
    /// The time after the start until the node is ready without a complete list.
    static let readyLimit = Duration.seconds(10)
    /// The time without an answer of the far store, or of another node, after which this one is cut off. Also the time without
    /// a complete list, after which far results are no longer read.
    static let silence = Duration.seconds(30)

    private let hasBucket: Bool
    private let hasPeers: Bool
    private let unknown: UnknownPurges
    /// Whether all purges from before the start are known.
    private(set) var isComplete = false
    /// Whether the node is ready without a complete list.
    var hasWaited = false
    /// The last times of an answer by the far store or another node, of a complete list of either, and of one of the far
    /// store.
    private var heard = Duration.zero, current = Duration.zero, listed: Duration?
    /// The seconds by which the far store's clock is ahead of this node's, if purges do not take that into account; otherwise
    /// 0.
    private(set) var lead = 0.0

    init(hasBucket: Bool, hasPeers: Bool, _ unknown: UnknownPurges) {
        (self.hasBucket, self.hasPeers, self.unknown) = (hasBucket, hasPeers, unknown)
    }

    // MARK: Answers

    mutating func noteList(at time: Duration) {
        (heard, current, listed, isComplete) = (time, time, time, true)
    }

    mutating func noteAnswers(of nodes: PurgeSync.Nodes, at time: Duration) {
        if nodes.hasAnswered { heard = time }
        if nodes.isComplete { current = time }
        if nodes.isComplete || nodes.isWhole { isComplete = true }
    }

    mutating func noteLead(_ range: ClosedRange<Double>?) {
        guard let range else { return }
        let reach = Purge.clockReach
        lead = range.lowerBound > reach ? range.lowerBound : range.upperBound < -reach ? range.upperBound : 0
    }

    // MARK: What follows

    /// Whether the list has all purges of the fleet, as far as another node may rely on it: not on what this one knows from
    /// others, which may in turn rely on it.
    func isReliable(at time: Duration) -> Bool {
        isComplete && (!hasBucket || listed.map { time - $0 <= Self.silence } ?? false)
    }

    /// Whether the far store's list has been read, and with it its clock.
    var isListed: Bool { listed != nil }

    /// Whether purges that are learnt now will be right when the clock is: see ``Purge/farUntil``.
    var learns: Bool { abs(lead) <= Purge.lateness + Purge.clockReach }

    /// Whether far results may be read, and written.
    func isFarUsable(at time: Duration) -> Bool { isComplete && lead == 0 && time - current <= Self.silence }

    func isCutOff(at time: Duration) -> Bool { time - heard > Self.silence }

    /// The reason why load balancers are to send no requests; `nil` if they may.
    func unreadiness(at time: Duration) -> String? {
        if let refusal = refusal(at: time) { return refusal }
        if !isComplete && !hasWaited { return Self.unknownReason }
        if let clock = clockReason { return clock }
        // Without the far store, a purge that does not reach a node is a failure. Without other nodes, all would end their
        // service together with the far store.
        return hasBucket && hasPeers && isCutOff(at: time) ? cutOffReason : nil
    }

    /// The reason why the node answers no requests; `nil` if it does.
    func refusal(at time: Duration) -> String? {
        guard unknown == .refuse else { return nil }
        return isComplete ? isCutOff(at: time) ? cutOffReason : nil : Self.unknownReason
    }

    var clockReason: String? {
        guard lead != 0 else { return nil }
        let place = lead > 0 ? "behind" : "ahead of"
        return "the clock is \(Int(saturating: abs(lead))) s \(place) that of the far store: purges take "
            + "\(Int(Purge.clockReach)) s into account"
    }

    private static let unknownReason = "the purges of other nodes are not known yet"

    private var cutOffReason: String {
        let silent =
            !hasPeers
            ? "the far store has not" : hasBucket ? "neither another node nor the far store has" : "no other node has"
        return "\(silent) answered for \(Self.silence.text)"
    }
}
