import CalotypeBase

// The line of JSON for a record. Written here, because an encoder takes longer than the answer to a hit, and as bytes,
// because a string that grows in thirty steps takes longer.

extension AnswerRecord {
    /// The record as an object of JSON on one line, with its keys in alphabetical order and without those that are `nil`.
    /// It has no hidden characters.
    package var line: String { String(decoding: lineBytes, as: UTF8.self) }

    /// The line in UTF-8, without a line feed.
    package var lineBytes: [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(384)
        line.add("{\"bytes\":")
        line.add(bytes)
        if let client { line.add(",\"client\":\"", client) }
        if let id { line.add(",\"id\":\"", id) }
        if let method { line.add(",\"method\":\"", method) }
        line.add(",\"ms\":{")
        times.write(to: &line)
        line.add("}")
        line.add(",\"outcome\":\"", outcome?.rawValue ?? "cut")
        if let reason { line.add(",\"reason\":\"", reason) }
        if let rendition { line.add(",\"rendition\":\"", rendition) }
        if let source { line.add(",\"source\":\"", source) }
        if let sourceBytes {
            line.add(",\"sourceBytes\":")
            line.add(sourceBytes)
        }
        if let sourceFormat { line.add(",\"sourceFormat\":\"", sourceFormat) }
        if let sourceOutcome { line.add(",\"sourceOutcome\":\"", sourceOutcome) }
        line.add(",\"status\":")
        line.add(status)
        line.add(",\"time\":\"", time)
        if let trace { line.add(",\"trace\":\"", trace) }
        if let userAgent { line.add(",\"userAgent\":\"", userAgent) }
        line.add("}")
        return line
    }
}

extension AnswerRecord.Times {
    fileprivate func write(to line: inout [UInt8]) {
        var isFirst = true
        func add(_ name: StaticString, _ duration: Duration?) {
            guard let duration else { return }
            if !isFirst { line.add(",") }
            line.add(name)
            line.addMilliseconds(duration)
            isFirst = false
        }
        add("\"decode\":", decode)
        add("\"encode\":", encode)
        add("\"fetch\":", fetch)
        add("\"queue\":", queue)
        add("\"total\":", total)
    }
}

extension [UInt8] {
    /// Adds the number of milliseconds, with microseconds as its fraction.
    fileprivate mutating func addMilliseconds(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = Swift.max(seconds, 0) * 1_000_000 + Swift.max(attoseconds, 0) / 1_000_000_000_000
        let fraction = Int(microseconds % 1000)
        add(Int(microseconds / 1000))
        guard fraction > 0 else { return }
        add(fraction < 10 ? ".00" : fraction < 100 ? ".0" : ".")
        add(fraction)
    }
}
