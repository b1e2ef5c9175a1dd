package import CalotypeBase
package import Foundation

extension URL {
    package var caselessScheme: CaselessString? { scheme.map { CaselessString($0) } }

    /// Creates the URL for a text from elsewhere, such as an argument, a line of a list or a string in JSON. Bytes that
    /// a URL must not contain are percent-encoded one by one: see ``CalotypeBase/ByteString/escapedAsURL``.
    ///
    /// `URL(string:)` would encode the whole component of such a byte, and thus encode its valid escapes twice.
    package init?(text: ByteString) {
        self.init(string: text.escapedURLText)
    }

    /// Creates the absolute URL for a reference in a field such as Location, like ``init(text:)``.
    package init?(reference: ByteString, relativeTo base: URL) {
        guard let url = URL(string: reference.escapedURLText, relativeTo: base)?.absoluteURL else { return nil }
        self = url
    }
}

extension ByteString {
    /// The URL or relative reference with each byte percent-encoded that RFC 3986 forbids in its component. Valid
    /// escapes are unchanged; a "%" that begins no escape becomes "%25".
    ///
    /// The authority is unchanged unless it is not UTF-8: an escape makes no valid host of an invalid one.
    package var escapedAsURL: ByteString {
        withBytes { bytes in
            var reader = URLReader(bytes)
            reader.read()
            return reader.hasEscaped ? ByteString(bytes: reader.escaped) : self
        }
    }

    fileprivate var escapedURLText: String {
        withBytes { bytes in
            var reader = URLReader(bytes)
            reader.read()
            return String(decoding: reader.escaped, as: UTF8.self)
        }
    }
}

/// Splits a reference into its components (RFC 3986 §4.1 and appendix B), and escapes each by its own rules (§3).
private struct URLReader {
    private var rest: UnsafeRawBufferPointer.SubSequence
    private(set) var escaped: [UInt8] = []
    private(set) var hasEscaped = false

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
        escaped.reserveCapacity(bytes.count)
    }

    mutating func read() {
        let hasScheme = takeScheme()
        let hasAuthority = takeAuthority()
        takePath(isRelative: !hasScheme && !hasAuthority)
        for mark in [UInt8.questionMark, .hash] where rest.first == mark {
            escaped.append(mark)
            rest = rest.dropFirst()
            escape(take { $0 != .hash || mark == .hash }) { $0.isPathCharacter || $0 == .questionMark }
        }
    }

    private mutating func takeScheme() -> Bool {
        let scheme = rest.prefix { $0.isAlphanumeric || "+-.".utf8.contains($0) }
        guard scheme.first?.isLetter == true, scheme.endIndex < rest.endIndex, rest[scheme.endIndex] == .colon else {
            return false
        }
        escaped += rest[...scheme.endIndex]
        rest = rest[(scheme.endIndex + 1)...]
        return true
    }

    private mutating func takeAuthority() -> Bool {
        guard rest.starts(with: [.slash, .slash]) else { return false }
        escaped += [.slash, .slash]
        rest = rest.dropFirst(2)
        let authority = take { $0 != .slash && $0 != .questionMark && $0 != .hash }
        if String(bytes: authority, encoding: .utf8) != nil {
            escaped += authority
        } else {
            escape(authority) { $0 < 0x80 && $0 != .percent }
        }
        return true
    }

    /// - Parameter isRelative: Whether the path begins the reference, so that a ":" in its first segment would make a
    ///   scheme of that segment (§4.2).
    private mutating func takePath(isRelative: Bool) {
        let path = take { $0 != .questionMark && $0 != .hash }
        let first = isRelative ? path.prefix { $0 != .slash } : path.prefix(0)
        escape(first) { $0.isPathCharacter && $0 != .colon }
        escape(path[first.endIndex...], except: \.isPathCharacter)
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> UnsafeRawBufferPointer.SubSequence {
        let part = rest.prefix(while: belongs)
        rest = rest[part.endIndex...]
        return part
    }

    private mutating func escape(_ part: UnsafeRawBufferPointer.SubSequence, except isValid: (UInt8) -> Bool) {
        let length = escaped.count
        escaped.appendPercentEncoded(part, keepsEscapes: true, except: isValid)
        if escaped.count > length + part.count { hasEscaped = true }
    }
}

extension UInt8 {
    fileprivate static let percent = UInt8(ascii: "%")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let questionMark = UInt8(ascii: "?")
    fileprivate static let hash = UInt8(ascii: "#")

    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// Whether the byte may be in a path: a pchar or "/" (RFC 3986 §3.3).
    fileprivate var isPathCharacter: Bool { isUnreserved || "!$&'()*+,;=:@/".utf8.contains(self) }
}
