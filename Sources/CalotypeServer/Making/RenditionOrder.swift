import CalotypeBase
import CalotypeHTTP

/// One request for a rendition: the subject of the request to the cache of results. Orders of equal renditions are equal.
final class RenditionOrder: Hashable, Sendable {
    let rendition: Rendition
    let asker: RenditionAsker
    /// The work that this request has caused; not begun if another request's work serves this one, too.
    let work = WorkReport()

    init(_ rendition: Rendition, for asker: RenditionAsker = RenditionAsker()) {
        (self.rendition, self.asker) = (rendition, asker)
    }

    /// Returns the order that a request carries, or a new one if it carries a rendition alone; otherwise `nil`.
    static func of(_ request: HTTPRequest) -> RenditionOrder? {
        let subject = request.subject?.value
        return subject as? RenditionOrder ?? (subject as? Rendition).map { RenditionOrder($0) }
    }

    static func == (one: RenditionOrder, other: RenditionOrder) -> Bool { one.rendition == other.rendition }

    func hash(into hasher: inout Hasher) { hasher.combine(rendition) }

    /// Does this order's work, which fills its report, and counts the times.
    func reporting<Value>(to metrics: ServerMetrics, _ body: () async -> Value) async -> Value {
        await work.reporting(to: metrics, body)
    }
}
