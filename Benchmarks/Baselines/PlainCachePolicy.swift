/// The decision whether a stored response may be used, in plain Swift: the header fields are a dictionary of strings,
/// and the directives of Cache-Control are another dictionary.
///
/// Follows the steps of the widely used npm package http-cache-semantics, which also parses the stored directives once
/// and those of a request each time. Leaves out everything that the benchmark's messages do not contain, such as
/// ranges.
struct PlainCachePolicy: Sendable {
    enum Decision {
        case serve
        /// Send the request with these fields.
        case validate([String: String])
    }

    private let response: [String: String]
    /// The fields of the request that the response answered.
    private let original: [String: String]
    private let directives: [String: String]
    private let responseTime: Double

    /// - Parameters:
    ///   - response: The stored fields, with names in lower case, like those of each request.
    ///   - responseTime: The time of receipt, in seconds since 1970.
    init(_ response: [String: String], to request: [String: String], responseTime: Double) {
        self.response = response
        original = request
        directives = Self.directives(response["cache-control"])
        self.responseTime = responseTime
    }

    func decide(_ request: [String: String], now: Double) -> Decision {
        let wanted = Self.directives(request["cache-control"])
        guard wanted["no-cache"] == nil, directives["no-cache"] == nil, isVariant(for: request),
            isFresh(wanted, now: now)
        else { return .validate(conditions(request)) }
        return .serve
    }

    private func isVariant(for request: [String: String]) -> Bool {
        guard let vary = response["vary"] else { return true }
        return Self.members(vary.lowercased()).map(String.init).allSatisfy { $0 != "*" && request[$0] == original[$0] }
    }

    private func isFresh(_ wanted: [String: String], now: Double) -> Bool {
        func seconds(_ value: String?) -> Double? { value.flatMap(Double.init) }
        let age = (seconds(response["age"]) ?? 0) + max(0, now - responseTime)
        let lifetime = seconds(directives["s-maxage"]) ?? seconds(directives["max-age"]) ?? 0
        if let limit = seconds(wanted["max-age"]), age > limit { return false }
        if let margin = seconds(wanted["min-fresh"]), lifetime - age < margin { return false }
        if age < lifetime { return true }
        guard directives["must-revalidate"] == nil, let limit = seconds(wanted["max-stale"]) else { return false }
        return age - lifetime <= limit
    }

    private func conditions(_ request: [String: String]) -> [String: String] {
        var fields = request
        if let tag = response["etag"] {
            fields["if-none-match"] = fields["if-none-match"].map { "\($0), \(tag)" } ?? tag
        }
        if let modified = response["last-modified"] { fields["if-modified-since"] = modified }
        return fields
    }

    /// Returns the directives with their values. The value of a directive without an argument is empty.
    private static func directives(_ text: String?) -> [String: String] {
        guard let text else { return [:] }
        var directives: [String: String] = [:]
        for member in members(text) {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard let name = parts.first else { continue }
            directives[name.lowercased()] = parts.count > 1 ? String(parts[1]) : ""
        }
        return directives
    }

    private static func members(_ list: String) -> [Substring] { list.split { $0 == "," || $0 == " " } }
}
