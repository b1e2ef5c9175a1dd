import CalotypeHTTP
import Foundation

/// Which header fields of a request are part of a loader's keys.
///
/// Three kinds: fields that decide what comes back are in all keys; fields that say how fresh it has to be are in the
/// keys of flights alone; fields that change nothing are in none.
struct KeyFields: Sendable {
    /// What a request's fields mean for its keys.
    struct Reading {
        /// A digest of the fields that decide what comes back; nil where there are none.
        var digest: String?
        /// The fields that say how fresh the answer has to be; empty where there are none.
        var directives = ""
        /// Whether they let nothing answer before its origin has confirmed it.
        var needsConfirmation = false
    }

    private enum Kind { case content, cacheControl, condition, otherDirective, outside }

    private let outside: [String]

    /// - Parameters:
    ///   - outside: names of fields that change nothing.
    ///   - identity: names of fields that tell users apart, which always count.
    init(outside: [String], identity: [String]) {
        self.outside = outside.filter { name in !identity.contains { $0.equalsIgnoringASCIICase(name) } }
    }

    /// The order of fields with different names does not count, nor does the case of names.
    ///
    /// Part of every look into memory for a request with fields: a few hundred nanoseconds and the digest's.
    ///
    /// - Parameter rangeOnly: leaves all content out but Range, for requests with a key of the caller's.
    func read(_ fields: HTTPFields, rangeOnly: Bool) -> Reading {
        var reading = Reading()
        var content: [HTTPFields.Field] = []
        var directives: [HTTPFields.Field] = []
        for field in fields {
            switch kind(of: field.name) {
            case .outside: continue
            case .content:
                if !rangeOnly || field.name.equalsIgnoringASCIICase("Range") { content.append(field) }
                continue
            case .cacheControl: if KeyFields.limitsAge(field.value) { reading.needsConfirmation = true }
            case .condition: reading.needsConfirmation = true
            case .otherDirective: break
            }
            directives.append(field)
        }
        if !content.isEmpty { reading.digest = Digest.sha256(KeyFields.bytes(of: &content)) }
        if !directives.isEmpty {
            reading.directives = String(decoding: KeyFields.bytes(of: &directives), as: UTF8.self)
        }
        return reading
    }

    /// RFC 9111 §5.2 and §5.4, RFC 9110 §13.1.
    private func kind(of name: String) -> Kind {
        if outside.contains(where: { $0.equalsIgnoringASCIICase(name) }) { return .outside }
        func isOneOf(_ names: String...) -> Bool { names.contains { $0.equalsIgnoringASCIICase(name) } }
        return switch name.utf8.count {
        case 6: isOneOf("Pragma") ? .otherDirective : .content
        case 8: isOneOf("If-Match", "If-Range") ? .condition : .content
        case 13: isOneOf("Cache-Control") ? .cacheControl : isOneOf("If-None-Match") ? .condition : .content
        case 17: isOneOf("If-Modified-Since") ? .condition : .content
        case 19: isOneOf("If-Unmodified-Since") ? .condition : .content
        default: .content
        }
    }

    /// Whether Cache-Control asks for more than what memory calls fresh.
    private static func limitsAge(_ cacheControl: String) -> Bool {
        cacheControl.split { $0 == "," || $0 == "=" || $0 == " " || $0 == "\t" }.contains { word in
            ["no-cache", "no-store", "max-age", "min-fresh"].contains { $0.equalsIgnoringASCIICase(String(word)) }
        }
    }

    /// Sorted by name, each name and value with its length in front: no field can be taken for another two.
    private static func bytes(of lines: inout [HTTPFields.Field]) -> [UInt8] {
        // Lines of one name stay in their order, which means something (RFC 9110 §5.3).
        if lines.count > 1 { lines.sort { precedes($0.name, $1.name) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 8 })
        for line in lines {
            append(line.name.utf8.count, to: &bytes)
            append(line.value.utf8.count, to: &bytes)
            for byte in line.name.utf8 { bytes.append(byte.asciiLowercased) }
            bytes.append(contentsOf: line.value.utf8)
        }
        return bytes
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left.utf8.makeIterator(), right.utf8.makeIterator())
        while let byte = right.next() {
            guard let other = left.next() else { return true }
            if other.asciiLowercased != byte.asciiLowercased { return other.asciiLowercased < byte.asciiLowercased }
        }
        return false
    }

    /// Seven bits a byte, so that the whole is text where the fields are.
    private static func append(_ length: Int, to bytes: inout [UInt8]) {
        var rest = length
        repeat {
            bytes.append(UInt8(rest & 0x3F) | (rest > 0x3F ? 0x40 : 0))
            rest >>= 6
        } while rest > 0
    }
}
