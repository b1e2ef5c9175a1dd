/// The rules that depend on the status code alone.
enum StatusRules {
    /// RFC 9110 §15.1: may be stored and reused although nothing says for how long.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// RFC 9111 §5.2.2.3: those whose caching requirements we know, for must-understand.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...410, 413...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// Answers to something that only this request said: its conditions, its range. Or no answer of its own (304).
    static func dependsOnRequest(_ status: Int) -> Bool {
        status == 304 || status == 412 || status == 416
    }

    static func isNegative(_ status: Int) -> Bool { status == 404 || status == 410 }

    /// RFC 9110 §15: no content follows.
    static func hasNoContent(_ status: Int) -> Bool { status == 204 || status == 205 || status == 304 }
}
