import CalotypeBase
import CalotypeHTTP
import CalotypeListener
import Foundation

/// Counts each answer, and passes on the records that the log is to have.
struct AnswerLog: Sendable {
    private let metrics: ServerMetrics
    /// Has the rules, which name the level and the receiver of the records.
    private let known: KnownTargets
    private let wallClock: WallClock
    private let monotonicClock: @Sendable () -> UInt64
    private let timestamps = Timestamps()

    /// A request that has reached the server.
    struct Arrival: Sendable {
        /// The fields that every answer to the request has.
        var fields: HTTPFields
        let request: ListenerRequest
        /// The client behind trusted proxies.
        let client: ClientAddress?
        /// In nanoseconds of the listener's clock.
        fileprivate let time: UInt64
    }

    /// The facts of an answer.
    struct Answer {
        let status: Int
        let outcome: ServerMetrics.Outcome
        var bytes = 0
        var reason: String?
        var source: SourceFacts?
        var work: WorkReport.Contents?
    }

    /// - Parameter monotonicClock: The listener's, in nanoseconds.
    init(_ basis: ServerBasis, monotonicClock: @escaping @Sendable () -> UInt64) {
        (metrics, known, wallClock) = (basis.metrics, basis.known, basis.wallClock)
        self.monotonicClock = monotonicClock
    }

    func arrival(_ request: ListenerRequest, from client: ClientAddress?, _ fields: HTTPFields) -> Arrival {
        metrics.began()
        return Arrival(fields: fields, request: request, client: client, time: monotonicClock())
    }

    /// - Parameter url: The request's URL; evaluated only for a record.
    func note(_ answer: Answer, to arrival: Arrival, for url: @autoclosure () -> LoggedURL) {
        let now = monotonicClock()
        let duration = now > arrival.time ? now - arrival.time : 0
        metrics.answered(answer.outcome, status: answer.status, bytes: answer.bytes, after: duration)
        let rules = known.rules
        guard let add = rules.log, rules.logLevel.includes(answer) else { return }
        var record = record(
            of: answer, id: arrival.fields["X-Request-ID"], url(), total: .nanoseconds(Int64(clamping: duration)))
        record.add(rules.logFields, of: arrival.request, arrival.client)
        if rules.logFields.contains(.sourceFormat) { record.sourceFormat = answer.source?.format.string }
        if rules.logFields.contains(.sourceBytes) { record.sourceBytes = answer.source?.bytes }
        add(record)
    }

    /// Notes a request that the listener has refused, because it is malformed or exceeds a limit.
    func noteRefusal(_ status: Int, _ reason: String) {
        let answer = Answer(status: status, outcome: .rejected, reason: reason)
        metrics.answered(answer.outcome, status: status, bytes: 0, after: nil)
        let rules = known.rules
        if let add = rules.log, rules.logLevel.includes(answer) { add(record(of: answer, id: nil, .none, total: nil)) }
    }

    /// Adds a record of an answer that was broken off after it had been noted.
    ///
    /// - Parameter client: The client behind trusted proxies.
    func noteCut(
        _ cut: Listener.Cut, of request: ListenerRequest, from client: ClientAddress?, id: ByteString?,
        for url: LoggedURL
    ) {
        let rules = known.rules
        guard let add = rules.log else { return }
        var record = AnswerRecord(
            time: timestamps.text(of: wallClock.now), id: id?.string, status: cut.status, outcome: nil,
            bytes: cut.sentBytes, times: AnswerRecord.Times(), rendition: url.rendition, source: url.source,
            reason: cut.reason)
        record.add(rules.logFields, of: request, client)
        add(record)
    }

    private func record(of answer: Answer, id: ByteString?, _ url: LoggedURL, total: Duration?) -> AnswerRecord {
        let work = answer.work
        return AnswerRecord(
            time: timestamps.text(of: wallClock.now), id: id?.string, status: answer.status, outcome: answer.outcome,
            sourceOutcome: work?.source, bytes: answer.bytes,
            times: AnswerRecord.Times(
                queue: work?.queue, fetch: work?.fetch, decode: work?.decode, encode: work?.encode, total: total),
            rendition: url.rendition, source: url.source, reason: answer.reason?.withoutUserInfo)
    }
}

extension AnswerRecord {
    /// Adds the facts of a request that the log is to have.
    fileprivate mutating func add(
        _ fields: Set<LogOptions.Field>, of request: ListenerRequest, _ client: ClientAddress?
    ) {
        guard !fields.isEmpty else { return }
        if fields.contains(.method) { method = request.method.rawValue.string }
        if fields.contains(.client) { self.client = client?.description }
        if fields.contains(.trace) { trace = request.fields.trace?.string }
        if fields.contains(.userAgent) {
            userAgent = request.fields["User-Agent"].map { String($0.string.prefix(256)) }
        }
    }
}

extension LogOptions.Level {
    fileprivate func includes(_ answer: AnswerLog.Answer) -> Bool {
        switch self {
        // A failure may have a fallback image with a status of 200.
        case .errors: answer.status >= 400 && answer.outcome != .left || answer.outcome == .failed
        case .made: answer.status >= 400 || answer.outcome != .hit && answer.outcome != .stale
        case .all: true
        }
    }
}

/// The texts of times. The one of a second is written once.
private final class Timestamps: Sendable {
    private let latest = Locked((second: Int.min, text: ""))

    /// - Parameter time: The seconds since 1970.
    func text(of time: Double) -> String {
        let second = Int(time.rounded(.down))
        let milliseconds = Int((time - Double(second)) * 1000)
        let text = latest.withLock { latest in
            if latest.second != second { latest = (second, Self.text(ofSecond: second)) }
            return latest.text
        }
        return text + Self.ends[min(milliseconds, 999)]
    }

    /// The ends of the texts, by the millisecond.
    private static let ends: [String] = (0..<1000).map { ".\(String(1000 + $0).dropFirst())Z" }

    private static func text(ofSecond second: Int) -> String {
        String(Date(timeIntervalSince1970: Double(second)).formatted(Date.ISO8601FormatStyle()).dropLast())
    }
}
