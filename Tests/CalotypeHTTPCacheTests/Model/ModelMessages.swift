/// A request, as the client sends it or as the origin gets it.
struct ModelRequest {
    let method: String
    let url: String
    let fields: ModelFields
    let directives: ModelDirectives

    init(method: String, url: String, fields: ModelFields) {
        (self.method, self.url, self.fields) = (method, url, fields)
        directives = ModelDirectives(fields.all("cache-control"))
    }

    var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }

    /// §4.3.2: conditions that a cache never evaluates.
    var isForOrigin: Bool { fields.has("if-match") || fields.has("if-unmodified-since") }

    static let conditions: Set<String> = ["if-none-match", "if-modified-since"]

    /// The request that a cache makes of it for itself: without the client's conditions and range.
    var plain: ModelRequest {
        let own = Self.conditions.union(["range", "if-range", "if-match", "if-unmodified-since"])
        return ModelRequest(method: "GET", url: url, fields: fields.without(own))
    }
}

/// An exchange with the origin.
struct ModelExchange {
    enum Reply {
        /// - Parameter isCutOff: Whether the connection broke after these bytes of the body.
        case response(status: Int, fields: ModelFields, body: [UInt8], isCutOff: Bool)
        case unreachable
        case malformed
    }

    let request: ModelRequest
    let reply: Reply
    let sent: Double
    let came: Double

    /// RFC 9110 §15.3.7, §15.4.5: a part or a confirmation that nobody has asked for is no answer.
    var isUnasked: Bool {
        let isConditional = request.fields.has("if-none-match") || request.fields.has("if-modified-since")
        return status == 304 && !isConditional || status == 206 && !request.fields.has("range")
    }

    var outcome: CacheModel.Origin {
        switch reply {
        case .unreachable: .unreachable
        case .malformed: .malformed
        case .response(let status, _, _, _): isUnasked ? .malformed : .failed(status: status)
        }
    }

    var status: Int? { if case .response(let status, _, _, _) = reply { status } else { nil } }
    var fields: ModelFields { if case .response(_, let fields, _, _) = reply { fields } else { ModelFields() } }
    var body: [UInt8] { if case .response(_, _, let body, _) = reply { body } else { [] } }
}

/// A stored response. The model never changes its head: an update (§3.2) is a further response.
final class ModelEntry {
    enum Standing {
        /// Our documents promise that the cache has it.
        case promised
        /// The cache may have it.
        case possible
        /// The cache must no longer use it.
        case gone
    }

    let url: String
    let status: Int
    let fields: ModelFields
    let body: [UInt8]
    /// The bytes of a larger representation, if these are not all (§3.3), and its length.
    let part: Range<Int>?
    let length: Int?
    let sent: Double
    let came: Double
    /// The values of the request in the fields that Vary names (§4.1).
    let varying: [String: String?]
    var standing: Standing

    let general: ModelDirectives
    let targeted: ModelDirectives?
    let date: Double?
    let lastModified: Double?
    let tag: ModelTag?

    init(
        url: String, status: Int, fields: ModelFields, body: [UInt8], part: Range<Int>? = nil, length: Int? = nil,
        sent: Double, came: Double, varying: [String: String?], standing: Standing
    ) {
        (self.url, self.status, self.fields, self.body) = (url, status, fields, body)
        (self.part, self.length, self.sent, self.came) = (part, length, sent, came)
        (self.varying, self.standing) = (varying, standing)
        general = ModelDirectives(fields.all("cache-control"))
        let cdn = ModelDirectives(fields.all("cdn-cache-control"))
        targeted = cdn.isEmpty ? nil : cdn
        date = fields["date"].flatMap(ModelDate.time)
        lastModified = fields["last-modified"].flatMap(ModelDate.time)
        tag = fields["etag"].map(ModelTag.init)
    }

    func isSame(as other: ModelEntry) -> Bool {
        status == other.status && fields == other.fields && body == other.body && part == other.part
            && length == other.length && sent == other.sent && came == other.came
    }

    var isWhole: Bool { part == nil }
    var hasValidator: Bool { tag != nil || lastModified != nil }
    /// The most recent response is the one with the latest Date (§4).
    var recency: Double { date ?? came }
}
