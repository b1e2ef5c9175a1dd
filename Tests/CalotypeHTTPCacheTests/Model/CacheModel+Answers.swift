// RFC 9111 §4.3.2; RFC 9110 §13, §14: the response that a stored one gives to a request.

struct ModelAnswer {
    let status: Int
    let fields: ModelFields
    let body: [UInt8]
}

extension CacheModel {
    func answer(
        _ request: ModelRequest, from entry: ModelEntry, isValidated: Bool, at now: Double
    ) -> ModelAnswer {
        var fields = entry.fields
        if isShared, !isFresh(entry, at: now) { fields.remove(["set-cookie"]) }
        if !isValidated { fields.remove(directives(entry).fields("no-cache")) }
        fields.set("age", "\(Int(min(age(entry, at: now), 2_147_483_648)))")
        if entry.status == 200, isNotModified(entry, request) {
            return ModelAnswer(status: 304, fields: notModified(fields), body: [])
        }
        if request.method == "GET", entry.status == 200, let range = request.fields.list("range"),
            isInRange(entry, request), let bytes = bytes(range, entry)
        {
            return part(of: entry, bytes, fields)
        }
        let length = entry.isWhole ? entry.body.count : entry.length
        fields.remove(["content-length"])
        if entry.status == 204 {
            if let announced = entry.fields["content-length"] { fields.add("content-length", announced) }
        } else if let length {
            fields.add("content-length", "\(length)")
        }
        return ModelAnswer(status: entry.status, fields: fields, body: request.method == "HEAD" ? [] : entry.body)
    }

    /// RFC 9110 §13.2.2.
    private func isNotModified(_ entry: ModelEntry, _ request: ModelRequest) -> Bool {
        if let list = request.fields.list("if-none-match") {
            if list == "*" { return true }
            return ModelTag.list(list).contains { entry.tag?.isWeakly($0) == true }
        }
        guard let since = request.fields["if-modified-since"].flatMap(ModelDate.time) else { return false }
        return entry.lastModified ?? entry.date ?? entry.came <= since
    }

    /// RFC 9110 §15.4.5.
    private func notModified(_ fields: ModelFields) -> ModelFields {
        var kept: Set<String> = [
            "cache-control", "cdn-cache-control", "content-location", "date", "etag", "expires", "vary", "age",
        ]
        if !fields.has("etag") { kept.insert("last-modified") }
        return fields.without(Set(fields.lines.map(\.name)).subtracting(kept))
    }

    /// RFC 9110 §13.1.5, §8.8.2.2.
    private func isInRange(_ entry: ModelEntry, _ request: ModelRequest) -> Bool {
        guard let condition = request.fields["if-range"] else { return true }
        if let date = ModelDate.time(condition) {
            return entry.lastModified == date && entry.date.map { $0 - date >= 60 } == true
        }
        return entry.tag?.isStrongly(ModelTag(condition)) == true
    }

    /// RFC 9110 §14.1.2: the bytes of one range, an empty range for one that cannot be satisfied, `nil` for one that a
    /// server ignores.
    private func bytes(_ text: String, _ entry: ModelEntry) -> Range<Int>? {
        guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (Int(ends[0]), Int(ends[1]))
        guard let length = entry.isWhole ? entry.body.count : entry.length else {
            guard let first, let last, first <= last else { return nil }
            return first..<(last + 1)
        }
        if let first {
            if let last, last < first { return nil }
            return first < length ? first..<min(length, (last ?? length) + 1) : 0..<0
        }
        return last.map { max(0, length - $0)..<length }
    }

    private func part(of entry: ModelEntry, _ bytes: Range<Int>, _ fields: ModelFields) -> ModelAnswer {
        var fields = fields.without(["content-length"])
        let length = entry.isWhole ? entry.body.count : entry.length
        guard !bytes.isEmpty else {
            fields.remove(["etag", "content-type"])
            fields.add("content-range", "bytes */\(length ?? 0)")
            fields.add("content-length", "0")
            return ModelAnswer(status: 416, fields: fields, body: [])
        }
        let start = entry.part?.lowerBound ?? 0
        let held = bytes.clamped(to: start..<(start + entry.body.count))
        let total = length.map { "\($0)" } ?? "*"
        fields.add("content-range", "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)")
        fields.add("content-length", "\(bytes.count)")
        return ModelAnswer(
            status: 206, fields: fields, body: Array(entry.body[(held.lowerBound - start)..<(held.upperBound - start)]))
    }

    /// §3.3: whether an incomplete response has what the request wants.
    func holds(_ entry: ModelEntry, _ request: ModelRequest) -> Bool {
        guard let part = entry.part else { return true }
        if request.method == "HEAD" { return true }
        guard let range = request.fields.list("range"), isInRange(entry, request), let bytes = bytes(range, entry)
        else {
            return false
        }
        return !bytes.isEmpty && part.lowerBound <= bytes.lowerBound && bytes.upperBound <= part.upperBound
    }
}
