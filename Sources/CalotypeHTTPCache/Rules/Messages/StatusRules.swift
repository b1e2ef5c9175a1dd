enum StatusRules {
    /// Returns `true` if the status allows storing and reuse without explicit freshness (RFC 9110 §15.1, RFC 7725 §3).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501: true
        default: false
        }
    }

    /// Returns `true` if the cache knows how to cache this status, for must-understand (RFC 9111 §5.2.2.3).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...410, 413...417, 421, 422, 426, 451, 500...505: true
        default: false
        }
    }

    /// Returns `true` for a response that depends on the request's conditions or range: 304, 412 and 416.
    static func dependsOnRequest(_ status: Int) -> Bool {
        status == 304 || status == 412 || status == 416
    }

    static func isNegative(_ status: Int) -> Bool { status == 404 || status == 410 }

    /// Returns `true` if the response never has content (RFC 9110 §15).
    static func hasNoContent(_ status: Int) -> Bool { status == 204 || status == 205 || status == 304 }
}
