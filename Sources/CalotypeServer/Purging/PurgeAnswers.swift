import CalotypeBase
import CalotypeHTTP
package import CalotypeListener
import CalotypeURLs
import Foundation

/// The pages of the admin port on which the operator purges, and sees the purges in force.
package struct PurgeAnswers: Sendable {
    let fleet: FleetPurges
    let token: AdminToken

    /// Answers a POST: puts the purge in force that the request's body, a JSON object, describes: with one of the keys `source`,
    /// `prefix` (URLs) and `all` (true), and with `soft` (true) if the images may be revalidated. The node passes it on
    /// to the others, unless it comes from one of them.
    package func purge(_ request: ListenerRequest) async -> ListenerResponse {
        if let reason = token.refusal(of: request) { return .forbidden(reason) }
        do throws(ServerError) {
            let order: PurgeOrder
            do throws(RenditionError) { order = try PurgeOrder(request.body) } catch { throw ServerError(error) }
            if let sender = request.fields[CaselessString(PassedPurge.sender)] {
                let id = request.fields[CaselessString(PassedPurge.identity)].flatMap { PurgeID($0) }
                guard let purge = try await fleet.take(order, from: sender, id: id) else { return .json(Itself()) }
                return .json(purge)
            }
            let purge = try await fleet.take(order, request.body)
            return .json(purge, status: purge.failure == nil ? 200 : 502)
        } catch {
            return .json(PurgeFailure(error: error.message), status: error.status, retryAfter: error.retryAfter)
        }
    }

    /// Answers a GET: lists the purges in force, with the times at which they took effect. Another node gets a page of the purges after the
    /// place that it names.
    package func list(_ request: ListenerRequest) async -> ListenerResponse {
        if let reason = token.refusal(of: request) { return .forbidden(reason) }
        if let place = request.fields[CaselessString(PurgePage.after)] {
            let page = fleet.page(after: place, from: request.fields[CaselessString(PassedPurge.sender)])
            return page.map { .json($0) } ?? .json(Itself())
        }
        return .json(PurgeRecords(fleet.control.list.purges, lastSweep: fleet.control.lastSweep))
    }
}

/// The body of a request for a purge.
struct PurgeOrder {
    let target: PurgeTarget
    let isHard: Bool

    private struct Form: Decodable {
        var source: String?
        var prefix: String?
        var all: Bool?
        var soft: Bool?
    }

    /// - Throws: 400 unless the body names one target. A misspelt key purges nothing.
    init(_ body: Data) throws(RenditionError) {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
            throw .malformed("the body is no JSON object such as {\"source\":\"https://example.com/cat.jpg\"}")
        }
        let unknown = Set(object.keys.map { ByteString($0) }).subtracting(["source", "prefix", "all", "soft"])
        if let key = unknown.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            throw .malformed("the key \(key.quoted) is none of source, prefix, all and soft")
        }
        guard let form = try? JSONDecoder().decode(Form.self, from: body) else {
            throw .malformed("source and prefix are texts; all and soft are true or false")
        }
        let isAll = form.all ?? false
        guard [form.source != nil, form.prefix != nil, isAll].filter(\.self).count == 1 else {
            throw .malformed("a purge names one of source, prefix and all (true)")
        }
        if let source = form.source {
            target = try .source(ByteString(source))
        } else if let prefix = form.prefix {
            target = try .prefix(ByteString(prefix))
        } else {
            target = .all
        }
        isHard = !(form.soft ?? false)
    }
}

/// A purge, for operators. JSON leaves out the properties that are `nil`.
package struct PurgeRecord: Encodable, Hashable, Sendable {
    /// The URL of a single source.
    var source: String?
    /// The tag of the results of a single source, for a purge in a cache in front.
    var tag: String?
    /// The beginning of URLs.
    var prefix: String?
    /// `true` for a purge of all sources.
    var all: Bool?
    /// "hard" or "soft".
    let mode: String
    /// The time of the purge (RFC 3339).
    let time: String
    /// The time from which every process has obeyed the purge.
    let everywhere: String
    /// The time at which a sweep began that deleted the entries of a hard purge from the store.
    var erased: String?

    package init(_ purge: Purge) { self.init(purge, lastSweep: 0) }

    init(_ purge: Purge, lastSweep: Double) {
        switch purge.target.kind {
        case .source: (source, tag) = (purge.target.url.displayed, purge.target.tag?.string)
        case .prefix: prefix = purge.target.url.displayed
        case .all: all = true
        }
        mode = purge.isHard ? "hard" : "soft"
        time = Self.text(purge.id.time)
        everywhere = Self.text(purge.nearUntil)
        if purge.isHard, lastSweep > purge.nearUntil { erased = Self.text(lastSweep) }
    }

    private static func text(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The list of purges as JSON, in parts: to encode a full one takes seconds of a thread.
private final class PurgeRecords: HTTPBodySource {
    private static let part = 200
    private let lastSweep: Double
    /// The purges that are not sent yet; `nil` after the end.
    private let rest: Locked<ArraySlice<Purge>?>

    init(_ purges: [Purge], lastSweep: Double) { (rest, self.lastSweep) = (Locked(purges[...]), lastSweep) }

    func next() async throws(TransportError) -> Data? {
        let part = rest.withLock { rest in
            defer { rest = rest.flatMap { $0.isEmpty ? nil : $0.dropFirst(Self.part) } }
            return rest?.prefix(Self.part)
        }
        guard let part else { return nil }
        let begin = part.startIndex == 0 ? "{\"limit\":\(PurgeList.limit),\"purges\":[" : part.isEmpty ? "" : ","
        let records = JSONEncoder.text(of: part.map { PurgeRecord($0, lastSweep: lastSweep) })
        return Data("\(begin)\(records.dropFirst().dropLast())\(part.isEmpty ? "]}\n" : "")".utf8)
    }
}

/// The answer of a node that has passed a purge on to itself: the purge is in force already.
private struct Itself: Encodable {
    let `self` = true
}

private struct PurgeFailure: Encodable {
    let error: String
}

extension JSONEncoder {
    fileprivate static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These values always encode; an empty object would still be JSON.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).escapedInJSON } ?? "{}"
    }
}

extension ListenerResponse {
    private static let jsonFields: HTTPFields = ["Content-Type": "application/json", "Cache-Control": "no-store"]

    fileprivate static func json(_ value: some Encodable, status: Int = 200, retryAfter: Int? = nil) -> Self {
        var fields = jsonFields
        fields["Retry-After"] = retryAfter.map { "\($0)" }
        return ListenerResponse(status: status, fields: fields, body: Data("\(JSONEncoder.text(of: value))\n".utf8))
    }

    fileprivate static func json(_ stream: some HTTPBodySource) -> Self {
        ListenerResponse(fields: jsonFields, stream: HTTPBody(stream))
    }

    fileprivate static func forbidden(_ reason: String) -> Self { json(PurgeFailure(error: reason), status: 403) }
}
