// RFC 9111 §4.1.

extension CacheModel {
    /// The names in Vary; `nil` if it has a `*`.
    func varyNames(_ fields: ModelFields) -> Set<String>? {
        let names = (fields.list("vary") ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
        return names.contains("*") ? nil : Set(names.filter { !$0.isEmpty })
    }

    func varying(_ fields: ModelFields, _ request: ModelRequest) -> [String: String?] {
        var values: [String: String?] = [:]
        for name in varyNames(fields) ?? ["*"] { values[name] = .some(normal(name, request)) }
        return values
    }

    /// §4.1 allows what the field's definition says to be without meaning: here order, white space and, in languages, case.
    func normal(_ name: String, _ request: ModelRequest) -> String? {
        guard let text = request.fields.list(name), name.hasPrefix("accept") else { return request.fields.list(name) }
        let folded = name == "accept" ? text : text.lowercased()
        return folded.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }.sorted()
            .joined(separator: ",")
    }

    func matches(_ entry: ModelEntry, _ request: ModelRequest) -> Bool {
        entry.varying.allSatisfy { name, value in name != "*" && value == normal(name, request) }
    }
}
