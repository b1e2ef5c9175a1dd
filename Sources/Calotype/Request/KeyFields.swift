import CalotypeBase
import CalotypeHTTP
import Foundation

/// The role of each header field in a loader's keys. Fields that affect the content are in all keys. Fields that
/// require a certain freshness are only in the keys of loads in progress. Other fields are in no key.
struct KeyFields: Sendable {
    struct Reading {
        /// A digest of the fields that affect the content, or `nil` if the request has no such fields.
        var digest: String?
        /// The fields that require a certain freshness, or an empty string.
        var directives: ByteString = ""
        /// `true` if an image in memory may be used only after the HTTP cache or the origin has confirmed it.
        var needsConfirmation = false
    }

    private enum Kind { case content, cacheControl, condition, otherDirective, outside }

    private let outside: [CaselessString]

    /// - Parameters:
    ///   - outside: The names of fields that do not affect the image.
    ///   - identity: The names of fields that identify users, which always count.
    init(outside: [CaselessString], identity: [CaselessString]) {
        self.outside = outside.filter { !identity.contains($0) }
    }

    /// Classifies the fields. The order of fields with different names does not matter, nor does the case of names.
    ///
    /// Runs on every memory lookup of a request with header fields: takes a few hundred nanoseconds, plus the digest.
    ///
    /// - Parameter rangeOnly: Whether Range is the only content field that counts, for requests with `cacheKey`.
    func read(_ fields: HTTPFields, rangeOnly: Bool) -> Reading {
        var reading = Reading()
        var content: [HTTPFields.Field] = []
        var directives: [HTTPFields.Field] = []
        for field in fields {
            switch kind(of: field.name) {
            case .outside: continue
            case .content:
                if !rangeOnly || field.name == "Range" { content.append(field) }
                continue
            case .cacheControl: if KeyFields.limitsAge(field.value) { reading.needsConfirmation = true }
            case .condition: reading.needsConfirmation = true
            case .otherDirective: break
            }
            directives.append(field)
        }
        if !content.isEmpty { reading.digest = Digest.sha256(KeyFields.bytes(of: &content)) }
        if !directives.isEmpty {
            reading.directives = ByteString(bytes: KeyFields.bytes(of: &directives))
        }
        return reading
    }

    /// Classifies a field by RFC 9111 §5.2 and §5.4, and RFC 9110 §13.1.
    private func kind(of name: CaselessString) -> Kind {
        if outside.contains(name) { return .outside }
        return switch name.count {
        case 6 where name == "Pragma": .otherDirective
        case 8 where name == "If-Match" || name == "If-Range": .condition
        case 13 where name == "Cache-Control": .cacheControl
        case 13 where name == "If-None-Match": .condition
        case 17 where name == "If-Modified-Since": .condition
        case 19 where name == "If-Unmodified-Since": .condition
        default: .content
        }
    }

    /// Returns whether Cache-Control contains a directive that the memory cache alone cannot satisfy.
    private static func limitsAge(_ cacheControl: ByteString) -> Bool {
        cacheControl.bytes.split { $0 == 0x2C || $0 == 0x3D || $0.isBlank }.contains { word in
            limits.contains(CaselessString(ByteString(bytes: word)))
        }
    }

    private static let limits: [CaselessString] = ["no-cache", "no-store", "max-age", "min-fresh"]

    /// Encodes the fields unambiguously: sorted by name, each name and value prefixed with its length.
    private static func bytes(of lines: inout [HTTPFields.Field]) -> [UInt8] {
        // Lines of one name keep their order, which is significant (RFC 9110 §5.3).
        if lines.count > 1 { lines.sort { $0.name < $1.name } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.name.count + $1.value.count + 8 })
        for line in lines {
            append(line.name.count, to: &bytes)
            append(line.value.count, to: &bytes)
            line.name.spelling.withBytes { for byte in $0 { bytes.append(byte.asciiLowercased) } }
            line.value.withBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Appends a length in groups of six bits. Each byte is ASCII, so that the result is UTF-8 if the fields are.
    private static func append(_ length: Int, to bytes: inout [UInt8]) {
        var rest = length
        repeat {
            bytes.append(UInt8(rest & 0x3F) | (rest > 0x3F ? 0x40 : 0))
            rest >>= 6
        } while rest > 0
    }
}
