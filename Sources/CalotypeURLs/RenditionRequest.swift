public import CalotypeBase
import CalotypeHTTP

/// A request for a rendition: the URL of a source, and the options of the file to make from it.
///
/// URLs that differ only in the order, the names or the encoding of their options have the same canonical text, which
/// can be parsed again.
///
/// ```swift
/// let request = try RenditionRequest(path: "/rs:fill:300:400/plain/local:///photo.jpg@webp")
/// ```
public struct RenditionRequest: Hashable, Sendable {
    /// The source's URL: "local:///path", or an absolute URL of the web.
    public let source: ByteString
    package private(set) var options: RenditionOptions
    /// The formats that the client accepts, or `nil` if the URL determines the format.
    package var accepted: AcceptedFormats?

    package init(source: ByteString, options: RenditionOptions, accepted: AcceptedFormats? = nil) {
        (self.source, self.options, self.accepted) = (source, options, accepted)
    }

    /// Parses a path without presets.
    ///
    /// - Parameter path: The part of the URL's path after the signature, with its leading slash and without a query.
    public init(path: ByteString) throws(RenditionError) {
        self = try RenditionGrammar().request(for: path).request
    }

    /// Whether the client's Accept may decide about the format.
    package var isNegotiable: Bool { options.format == nil && !options.isRaw }

    /// Replaces the format that the URL names by the best one of `formats` that the client accepts. WebP stays, which may be
    /// animated, and so do sources that are sent as they are.
    package mutating func enforce(_ formats: AcceptedFormats, for client: AcceptedFormats) {
        guard let named = options.format, named != .webp, named != .avif else { return }
        let accepted = client.intersection(formats)
        self.accepted = accepted
        options.format = accepted.avif ? .avif : accepted.webp ? .webp : named
    }

    /// The rendition as text. It omits everything that does not affect the file, such as signature and expiry.
    public var canonicalText: ByteString {
        let options = OptionTable.canonicalText(of: options)
        let format = self.options.format.map { "@\($0.rawValue)" } ?? (self.options.choosesByContent ? "@best" : "")
        let accepted = accepted.map { "\(AcceptedFormats.optionName):\($0.text)/" } ?? ""
        return "\(accepted)\(options)\(options.isEmpty ? "" : "/")plain/\(source.escapedInPath)\(format)"
    }

    package init(canonicalText: ByteString) throws(RenditionError) {
        var path = canonicalText
        var accepted: AcceptedFormats?
        if path.hasPrefix("\(AcceptedFormats.optionName):") {
            let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 1)
            accepted = URLOption(parts[0]).map {
                AcceptedFormats(webp: $0.values.contains("webp"), avif: $0.values.contains("avif"))
            }
            path = parts.count > 1 ? parts[1] : ""
        }
        let parsed = try RenditionGrammar().request(for: "/\(path)").request
        self.init(source: parsed.source, options: parsed.options, accepted: accepted)
    }
}

/// A set of formats besides JPEG and PNG: those that a client accepts, or those that a server negotiates.
package struct AcceptedFormats: Hashable, Sendable {
    /// The name of an option that exists only in canonical texts, not in URLs.
    static let optionName: ByteString = "accepted"

    package var webp = false
    package var avif = false

    package init(webp: Bool = false, avif: Bool = false) {
        (self.webp, self.avif) = (webp, avif)
    }

    package static let neither = AcceptedFormats()
    package static let both = AcceptedFormats(webp: true, avif: true)

    /// Parses "none", or names of formats with commas between them, such as "avif,webp". Returns `nil` for other text.
    package init?(list text: ByteString) {
        let names = text == "none" ? [] : text.split(separator: UInt8(ascii: ","))
        guard names.allSatisfy({ $0 == "avif" || $0 == "webp" }) else { return nil }
        self.init(webp: names.contains("webp"), avif: names.contains("avif"))
    }

    package func union(_ other: AcceptedFormats) -> AcceptedFormats {
        AcceptedFormats(webp: webp || other.webp, avif: avif || other.avif)
    }

    package func intersection(_ other: AcceptedFormats) -> AcceptedFormats {
        AcceptedFormats(webp: webp && other.webp, avif: avif && other.avif)
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
        self.init(webp: accepted["image/webp"] ?? false, avif: accepted["image/avif"] ?? false)
    }

    var text: String {
        [webp ? "webp" : nil, avif ? "avif" : nil].compactMap(\.self).joined(separator: ":")
    }
}

extension ByteString {
    /// The bytes for a plain source in a path: all but unreserved characters and "/:=&+,;!" are percent-encoded.
    package var escapedInPath: ByteString { percentEncoded { $0.isUnreserved || "/:=&+,;!".utf8.contains($0) } }

    /// The bytes for an extended parameter of a header field (RFC 8187 §3.2.1), percent-encoded in UTF-8.
    package var escapedInParameter: ByteString { percentEncoded { $0.isUnreserved || "!#$&+^`|".utf8.contains($0) } }
}
