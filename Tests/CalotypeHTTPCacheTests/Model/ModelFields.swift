/// The fields of a message, as the model reads them: lines in order, with names in lower case.
struct ModelFields: Equatable, CustomStringConvertible {
    struct Line: Hashable {
        let name: String
        let value: String
    }

    var lines: [Line] = []

    init(_ pairs: [(String, String)] = []) { lines = pairs.map { Line(name: $0.0, value: $0.1) } }

    /// The value of the first line.
    subscript(_ name: String) -> String? { lines.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }

    /// Several lines are one list (RFC 9110 §5.3).
    func list(_ name: String) -> String? {
        let all = all(name)
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }

    func has(_ name: String) -> Bool { lines.contains { $0.name == name } }

    mutating func add(_ name: String, _ value: String) { lines.append(Line(name: name, value: value)) }

    mutating func set(_ name: String, _ value: String) {
        remove([name])
        add(name, value)
    }

    mutating func remove(_ names: Set<String>) { lines.removeAll { names.contains($0.name) } }

    func without(_ names: Set<String>) -> ModelFields {
        var copy = self
        copy.remove(names)
        return copy
    }

    var description: String { lines.map { "\($0.name): \($0.value)" }.joined(separator: " | ") }

    /// Whether both have the same lines; the order of lines with different names means nothing.
    func says(_ other: ModelFields) -> Bool {
        lines == other.lines
            || lines.count == other.lines.count
                && lines.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
                    == other.lines.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

/// The directives of Cache-Control (RFC 9111 §5.2), each with the arguments of its occurrences.
struct ModelDirectives {
    private var arguments: [String: [String]] = [:]

    init(_ lines: [String]) {
        for line in lines {
            for member in split(line) {
                let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let argument = parts.count == 2 ? String(parts[1]).trimmingQuotes : ""
                arguments[parts[0].lowercased(), default: []].append(argument)
            }
        }
    }

    /// Splits at commas outside of quotes.
    private func split(_ line: String) -> [String] {
        var isQuoted = false
        let members = line.utf8.split { byte in
            if byte == 0x22 { isQuoted.toggle() }
            return byte == 0x2C && !isQuoted
        }
        return members.compactMap { String($0)?.trimmed }.filter { !$0.isEmpty }
    }

    var isEmpty: Bool { arguments.isEmpty }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// Whether the directive occurs without a list of fields (§5.2.2.4, §5.2.2.7).
    func isWhole(_ name: String) -> Bool { arguments[name]?.contains("") ?? false }

    /// The fields that the directive names.
    func fields(_ name: String) -> Set<String> {
        guard let all = arguments[name], !isWhole(name) else { return [] }
        return Set(all.flatMap { $0.split(separator: ",") }.map { String($0).trimmed.lowercased() })
    }

    /// The first number of a request's directive; those that are no numbers are ignored.
    ///
    /// - Parameter bare: The meaning of the directive without an argument.
    func number(_ name: String, bare: Double? = nil) -> Double? {
        arguments[name]?.lazy.compactMap { $0.isEmpty ? bare : deltaSeconds($0) }.first
    }

    /// §4.2.1: of several numbers the first; one that is invalid makes the response stale.
    func seconds(_ name: String) -> Double? { arguments[name]?.first.map { deltaSeconds($0) ?? 0 } }
}

/// §1.2.2.
func deltaSeconds(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Double(text).map { min($0, 2_147_483_648) }
}

extension String {
    var trimmed: String {
        var text = utf8[...]
        while text.first == 0x20 { text.removeFirst() }
        while text.last == 0x20 { text.removeLast() }
        return String(text) ?? self
    }

    var trimmingQuotes: String {
        count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
    }
}

/// RFC 9110 §5.6.7, the form that a sender must write.
enum ModelDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The number of days from 1970 to a date, and back. Years begin in March, so that a leap day is the last one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, rest) = (marchYear / 400, marchYear % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + rest * 365 + rest / 4 - rest / 100 + ofYear - 719_468
    }

    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let rest = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * rest + rest / 4 - rest / 100)
        let number = (5 * ofYear + 2) / 153
        let month = number < 10 ? number + 3 : number - 9
        return (rest + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * number + 2) / 5 + 1)
    }

    static func text(_ time: Double) -> String {
        let seconds = Int(time.rounded(.down))
        let (year, month, day) = date(seconds / 86_400)
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(padded).joined(separator: ":")
        return "\(weekdays[seconds / 86_400 % 7]), \(padded(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    static func time(_ text: String) -> Double? {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x3A }.compactMap { String($0) }
        guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
            let month = months.firstIndex(of: words[2]), let hour = Int(words[4]), let minute = Int(words[5]),
            let second = Int(words[6])
        else { return nil }
        return Double(days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }
}

/// RFC 9110 §8.8.3.
struct ModelTag: Hashable {
    let isWeak: Bool
    let opaque: String

    init(_ text: String) {
        isWeak = text.hasPrefix("W/")
        opaque = isWeak ? String(text.dropFirst(2)) : text
    }

    func isStrongly(_ other: ModelTag) -> Bool { self == other && !isWeak }
    func isWeakly(_ other: ModelTag) -> Bool { opaque == other.opaque }

    static func list(_ text: String) -> [ModelTag] {
        text.split(separator: ",").map { ModelTag(String($0).trimmed) }
    }
}
