import CalotypeHTTP
import Foundation

/// Which header fields of a request are part of a loader's keys.
///
/// Three kinds: fields that decide what comes back are in all keys; fields that say how fresh it has to be are in the
/// keys of flights alone; fields that change nothing are in none.
struct KeyFields: Sendable {
    private enum Kind { case content, directive, outside }

    private let outside: [String]

    /// - Parameters:
    ///   - outside: names of fields that change nothing.
    ///   - identity: names of fields that tell users apart, which always count.
    init(outside: [String], identity: [String]) {
        self.outside = outside.filter { name in !identity.contains { $0.equalsIgnoringASCIICase(name) } }
    }

    /// A digest of the fields that decide what comes back; nil where there are none.
    ///
    /// The order of fields with different names does not count, nor does the case of names.
    ///
    /// - Parameter rangeOnly: leaves all out but Range, for requests with a key of the caller's.
    func digest(of fields: HTTPFields, rangeOnly: Bool) -> String? {
        guard !fields.isEmpty else { return nil }
        var lines = fields.filter { kind(of: $0.name) == .content }
        if rangeOnly { lines.removeAll { !$0.name.equalsIgnoringASCIICase("Range") } }
        return lines.isEmpty ? nil : Digest.sha256(KeyFields.bytes(of: lines))
    }

    /// The fields that say how fresh the answer has to be, to tell flights apart; empty where there are none.
    func directives(of fields: HTTPFields) -> String {
        guard !fields.isEmpty else { return "" }
        let lines = fields.filter { kind(of: $0.name) == .directive }
        return lines.isEmpty ? "" : String(decoding: KeyFields.bytes(of: lines), as: UTF8.self)
    }

    /// Whether the request lets nothing answer, however fresh, before its origin has confirmed it.
    static func needsConfirmation(_ fields: HTTPFields) -> Bool {
        fields.contains { field in
            guard field.name.equalsIgnoringASCIICase("Cache-Control") else { return isCondition(field.name) }
            return names(["no-cache", "no-store", "max-age", "min-fresh"], in: field.value)
        }
    }

    private func kind(of name: String) -> Kind {
        if outside.contains(where: { $0.equalsIgnoringASCIICase(name) }) { return .outside }
        return KeyFields.isDirective(name) ? .directive : .content
    }

    /// RFC 9111 §5.2 and §5.4.
    private static func isDirective(_ name: String) -> Bool {
        switch name.utf8.count {
        case 6: name.equalsIgnoringASCIICase("Pragma")
        case 13 where name.equalsIgnoringASCIICase("Cache-Control"): true
        default: isCondition(name)
        }
    }

    /// RFC 9110 §13.1.
    private static func isCondition(_ name: String) -> Bool {
        switch name.utf8.count {
        case 8: name.equalsIgnoringASCIICase("If-Match") || name.equalsIgnoringASCIICase("If-Range")
        case 13: name.equalsIgnoringASCIICase("If-None-Match")
        case 17: name.equalsIgnoringASCIICase("If-Modified-Since")
        case 19: name.equalsIgnoringASCIICase("If-Unmodified-Since")
        default: false
        }
    }

    private static func names(_ directives: [String], in list: String) -> Bool {
        list.split { $0 == "," || $0 == "=" || $0 == " " || $0 == "\t" }.contains { word in
            directives.contains { $0.equalsIgnoringASCIICase(String(word)) }
        }
    }

    /// Sorted by name, each name and value with its length in front: no field can be taken for another two.
    private static func bytes(of lines: [HTTPFields.Field]) -> Data {
        var named = lines.map { (name: Array($0.name.utf8.lazy.map(\.asciiLowercased)), value: $0.value.utf8) }
        // Lines of one name stay in their order, which says something (RFC 9110 §5.3).
        if named.count > 1 { named.sort { $0.name.lexicographicallyPrecedes($1.name) } }
        var bytes = Data()
        for (name, value) in named {
            bytes.append(contentsOf: "\(name.count) \(value.count) ".utf8)
            bytes.append(contentsOf: name)
            bytes.append(contentsOf: value)
        }
        return bytes
    }
}
