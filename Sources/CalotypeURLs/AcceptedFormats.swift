import CalotypeBase
import CalotypeHTTP

/// A set of formats besides JPEG and PNG: those that a client accepts, or those that a server negotiates.
package struct AcceptedFormats: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let webp = AcceptedFormats(rawValue: 1)
    package static let avif = AcceptedFormats(rawValue: 2)
    #if JPEGXL
        package static let jxl = AcceptedFormats(rawValue: 4)
    #endif

    /// Each format with its set of one, in the order in which texts name them.
    #if JPEGXL
        private static let all: [(format: RenditionFormat, set: AcceptedFormats)] = [
            (.webp, .webp), (.avif, .avif), (.jxl, .jxl),
        ]
    #else
        private static let all: [(format: RenditionFormat, set: AcceptedFormats)] = [(.webp, .webp), (.avif, .avif)]
    #endif

    /// The name of an option that exists only in canonical texts, not in URLs.
    static let optionName: ByteString = "accepted"

    /// The names that ``init(list:)`` reads, the best format first.
    package static let names = all.reversed().map(\.format.rawValue)

    /// The formats, the one of the smallest files first.
    package var formats: [RenditionFormat] { Self.all.reversed().filter { contains($0.set) }.map(\.format) }

    /// The format of the smallest files.
    var best: RenditionFormat? { formats.first }

    /// Creates a set of formats; JPEG and PNG do not count.
    package init(_ formats: some Sequence<RenditionFormat>) {
        let formats = Set(formats)
        self = Self.all.reduce([]) { formats.contains($1.format) ? $0.union($1.set) : $0 }
    }

    /// The formats with these names; others do not count.
    init(names: [ByteString]) {
        self.init(RenditionFormat.allCases.filter { names.contains(ByteString($0.rawValue)) })
    }

    /// Parses "none", or names of formats with commas between them, such as "avif,webp". Returns `nil` for other text.
    package init?(list text: ByteString) {
        let names = text == "none" ? [] : text.split(separator: UInt8(ascii: ","))
        guard names.allSatisfy({ name in Self.names.contains { ByteString($0) == name } }) else { return nil }
        self.init(names: names)
    }

    /// Reads the values of Accept (RFC 9110 §12.5.1). A format is accepted if it is named with a quality above 0.
    ///
    /// Ranges such as `image/*` do not count: browsers send them although they cannot decode every format.
    package init(accept values: [ByteString]) {
        var accepted: [ByteString: Bool] = [:]
        for value in values {
            for range in value.split(separator: UInt8(ascii: ",")) {
                let words = range.split(separator: UInt8(ascii: ";")).map { $0.trimmed.lowercasedASCII }
                let quality = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2).string
                accepted[words[0]] = quality.map { (Double($0) ?? 0) > 0 } ?? true
            }
        }
        self.init(RenditionFormat.allCases.filter { accepted[ByteString("image/\($0.rawValue)")] ?? false })
    }

    var text: String { formats.reversed().map(\.rawValue).joined(separator: ":") }
}
