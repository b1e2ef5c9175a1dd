package import CalotypeBase
import CalotypeHTTP
import Foundation

/// The source at the end of a path, and the extension after it.
package struct SourceText {
    package let url: ByteString
    /// The extension, or `nil` if the path has no extension.
    package let format: ByteString?

    package init(_ parts: ArraySlice<ByteString>) throws(RenditionError) {
        guard let first = parts.first, !(parts.count == 1 && first.isEmpty) else {
            throw .malformed("the source is missing")
        }
        if first == "plain", parts.count > 1 {
            try self.init(plain: parts.dropFirst().joined(separator: "/"))
        } else if first.isThumborPart {
            throw .malformed(
                "\(first.quoted) belongs to a URL of thumbor: here it is /signature/rs:fill:WIDTH:HEIGHT/plain/SOURCE")
        } else if first == "enc", parts.count > 1 {
            throw .malformed(
                "\(first.quoted) begins a source that imgproxy has encrypted, which this server does not read: "
                    + "write /plain/SOURCE, or the source in base64")
        } else {
            do throws(RenditionError) { try self.init(base64: parts.joined()) } catch {
                throw SourceText.misplaced(in: parts) ?? error
            }
        }
        guard !url.isEmpty else { throw .malformed("the source is missing") }
        guard !url.contains(0) else { throw .malformed("the source contains NUL") }
    }

    private init(plain text: ByteString) throws(RenditionError) {
        let words = text.split(separator: UInt8(ascii: "@"))
        guard words.count <= 2 else { throw .malformed("the source has several \"@\": write one inside a URL as %40") }
        guard let url = words[0].percentDecoded else {
            throw .malformed("the source has a \"%\" without two hexadecimal digits")
        }
        self.url = url
        format = words.count == 2 && !words[1].isEmpty ? words[1] : nil
    }

    /// Returns the mistake if options or "plain" follow the first part, which then is no source; otherwise `nil`.
    private static func misplaced(in parts: ArraySlice<ByteString>) -> RenditionError? {
        guard let first = parts.first,
            let next = parts.dropFirst().first(where: { $0 == "plain" || URLOption($0) != nil })
        else { return nil }
        return .malformed(
            "\(first.quoted), before \(next.quoted), is neither an option, which has a colon, nor a source: a path is "
                + "/signature/OPTIONS/plain/SOURCE")
    }

    private init(base64 text: ByteString) throws(RenditionError) {
        let words = text.split(separator: UInt8(ascii: "."))
        guard words.count <= 2 else { throw .malformed("the source has several extensions") }
        guard let url = words[0].base64Decoded else {
            throw .malformed("\(text.quoted) is neither an option, which has a colon, nor a source in base64")
        }
        self.url = url
        format = words.count == 2 && !words[1].isEmpty ? words[1] : nil
    }
}

extension ByteString {
    /// Whether the text is the first part of a path in thumbor's form: a size such as "300x200", or a word before it.
    fileprivate var isThumborPart: Bool {
        if ["fit-in", "adaptive-fit-in", "full-fit-in", "smart", "meta", "trim"].contains(self) { return true }
        let sides = split(separator: UInt8(ascii: "x"))
        return sides.count == 2 && count > 1
            && sides.allSatisfy { side in
                let digits = side.hasPrefix("-") ? side.dropFirst() : side
                return digits.isEmpty || digits.asDigits != nil || side == "orig"
            }
    }

    /// The bytes of URL-safe base64 (RFC 4648 §5) with or without padding, or `nil` for other text.
    package var base64Decoded: ByteString? {
        base64Bytes.map { ByteString(bytes: $0) }
    }

    var base64Bytes: [UInt8]? {
        var symbols = bytes.map { symbol in
            switch symbol {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: symbol
            }
        }
        while symbols.last == UInt8(ascii: "=") { symbols.removeLast() }
        symbols += [UInt8](repeating: UInt8(ascii: "="), count: -symbols.count & 3)
        return Data(base64Encoded: Data(symbols)).map(Array.init)
    }

    /// Encodes bytes as URL-safe base64 without padding.
    package init(base64: some Sequence<UInt8>) {
        let text = Data(base64).base64EncodedString().utf8.compactMap { symbol -> UInt8? in
            switch symbol {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: symbol
            }
        }
        self.init(bytes: text)
    }
}
