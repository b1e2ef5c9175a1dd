public import CalotypeBase

/// The reason why the server refuses a URL before it loads anything, or why keys cannot sign URLs.
public struct RenditionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status of the response: 400, 403, 404, 405 or 414. For keys, which no response concerns, 400.
    public var status: Int { parts.value.status }
    /// The problem in one line, which names the option, the part of the URL, or the key by its number: never a key.
    public var message: String { parts.value.message }
    /// The name of the invalid option (its long name, if the server knows it), or `nil` if the problem is elsewhere.
    public var option: ByteString? { parts.value.option }

    private let parts: ErrorParts<Parts>

    private struct Parts: Hashable {
        let status: Int
        let message: String
        let option: ByteString?
    }

    package init(_ status: Int, _ message: String, option: ByteString? = nil) {
        parts = ErrorParts(Parts(status: status, message: message, option: option))
    }

    package static func malformed(_ message: String) -> RenditionError { RenditionError(400, message) }

    package static func option(_ name: ByteString, _ problem: String) -> RenditionError {
        RenditionError(400, "option \(name.quoted): \(problem)", option: name)
    }

    public var description: String { message }
}

extension ByteString {
    /// The text in quotes for a message: at most 60 bytes, with "?" for quotes and all but printable ASCII.
    package var quoted: String {
        let start = withBytes { $0.prefix(60).map { (0x20...0x7E).contains($0) && $0 != 0x22 ? $0 : 0x3F } }
        return "\"\(String(decoding: start, as: UTF8.self))\(count > 60 ? "…" : "")\""
    }
}
