public import CalotypeBase
import CalotypeHTTP

/// A request for a rendition: the URL of a source, and the options of the file to make from it, or of the facts about it.
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
    package var isNegotiable: Bool { options.format == nil && !options.isRaw && options.info == nil }

    /// Replaces JPEG or PNG as the format that the URL names by the best one of `formats` that the client accepts. WebP stays,
    /// which may be animated, and so do sources that are sent as they are.
    package mutating func enforce(_ formats: AcceptedFormats, for client: AcceptedFormats) {
        guard let named = options.format, named == .jpeg || named == .png else { return }
        let accepted = client.intersection(formats)
        self.accepted = accepted
        options.format = accepted.best ?? named
    }

    /// The rendition as text. It omits everything that does not affect the file, such as signature and expiry.
    public var canonicalText: ByteString {
        let options = OptionTable.canonicalText(of: options)
        let format = self.options.format.map { "@\($0.rawValue)" } ?? (self.options.choosesByContent ? "@best" : "")
        let accepted = accepted.map { "\(AcceptedFormats.optionName):\($0.text)/" } ?? ""
        let kind: ByteString = self.options.info == nil ? "" : "\(RenditionGrammar.infoName)/"
        return "\(kind)\(accepted)\(options)\(options.isEmpty ? "" : "/")plain/\(source.escapedInPath)\(format)"
    }

    package init(canonicalText: ByteString) throws(RenditionError) {
        var path = canonicalText
        var accepted: AcceptedFormats?
        if path.hasPrefix("\(AcceptedFormats.optionName):") {
            let parts = path.split(separator: UInt8(ascii: "/"), maxSplits: 1)
            accepted = URLOption(parts[0]).map { AcceptedFormats(names: $0.values) }
            path = parts.count > 1 ? parts[1] : ""
        }
        var grammar = RenditionGrammar()
        grammar.permitsPlaces = true
        let parsed = try grammar.request(for: "/\(path)").request
        self.init(source: parsed.source, options: parsed.options, accepted: accepted)
    }
}

extension ByteString {
    /// The bytes for a plain source in a path: all but unreserved characters and "/:=&+,;!" are percent-encoded.
    package var escapedInPath: ByteString { percentEncoded { $0.isUnreserved || "/:=&+,;!".utf8.contains($0) } }

    /// The bytes for an extended parameter of a header field (RFC 8187 §3.2.1), percent-encoded in UTF-8.
    package var escapedInParameter: ByteString { percentEncoded { $0.isUnreserved || "!#$&+^`|".utf8.contains($0) } }
}
