import Foundation

/// A strict parser of Prometheus's text format (version 0.0.4).
struct PrometheusText {
    struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Fault: Error { let line: String }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(line: "the text has no newline at its end") }
        var family = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                guard words.count == 4, types[words[2]] == nil, Self.isName(words[2]) else { throw Fault(line: line) }
                family = words[2]
            } else if line.hasPrefix("# TYPE ") {
                guard words.count == 4, words[2] == family, types[family] == nil,
                    ["counter", "gauge", "histogram"].contains(words[3])
                else { throw Fault(line: line) }
                types[family] = words[3]
            } else {
                let sample = try Self.sample(line)
                guard let type = types[family], Self.names(family, type).contains(sample.name), sample.value.isFinite,
                    type == "gauge" || sample.value >= 0,
                    !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
                else { throw Fault(line: line) }
                samples.append(sample)
            }
        }
        for (name, type) in types where type == "histogram" { try checkHistogram(name) }
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    /// Returns the sum over all labels.
    func sum(_ name: String) -> Double { samples.filter { $0.name == name }.reduce(0) { $0 + $1.value } }

    private static func names(_ family: String, _ type: String) -> [String] {
        type == "histogram" ? ["_bucket", "_sum", "_count"].map { family + $0 } : [family]
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private func checkHistogram(_ name: String) throws {
        let buckets = samples.filter { $0.name == "\(name)_bucket" }
        let counts = buckets.map(\.value)
        let bounds = buckets.map { $0.labels["le"] ?? "" }
        guard bounds.last == "+Inf", counts == counts.sorted(), counts.last == value("\(name)_count"),
            bounds.dropLast().compactMap(Double.init).count == bounds.count - 1, value("\(name)_sum") != nil
        else { throw Fault(line: name) }
    }

    private static func sample(_ line: String) throws -> Sample {
        var rest = Substring(line)
        let name = rest.prefix { $0 != "{" && $0 != " " }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                let label = rest.prefix { $0 != "=" }
                rest = rest.dropFirst(label.count)
                guard isName(label), rest.hasPrefix("=\""), labels[String(label)] == nil else {
                    throw Fault(line: line)
                }
                rest = rest.dropFirst(2)
                labels[String(label)] = try quoted(&rest, line)
            } while rest.first == ","
            guard rest.first == "}" else { throw Fault(line: line) }
            rest = rest.dropFirst()
        }
        guard isName(name), rest.first == " ", let value = Double(rest.dropFirst()) else { throw Fault(line: line) }
        return Sample(name: String(name), labels: labels, value: value)
    }

    /// Removes a text and the quotation mark after it.
    private static func quoted(_ rest: inout Substring, _ line: String) throws -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let escaped = rest.popFirst(), let meant = ["n": "\n", "\\": "\\", "\"": "\""][escaped] else {
                    throw Fault(line: line)
                }
                text += meant
            default: text.append(character)
            }
        }
        throw Fault(line: line)
    }
}
