import CalotypeBase
import CalotypeHTTP
import CalotypeURLs

// The fields of a response that depend on more than its rendition: Vary, the file name, and the expiry of the URL.

extension RenditionRequest {
    /// Whether the response has no fields specific to the URL: the URL has no expiry, file name or attachment option.
    var isDeliveredPlainly: Bool {
        options.expires == nil && options.fileName == nil && !options.isAttachment
    }
}

extension HTTPResponse {
    /// Adds Vary, and the fields for the file name and the expiry, which are not part of the cache key.
    mutating func complete(for rendition: RenditionRequest, now: Double) {
        if rendition.accepted != nil { fields["Vary"] = "Accept" }
        let options = rendition.options
        if options.isAttachment || options.fileName != nil, status < 300 {
            fields["Content-Disposition"] = disposition(of: rendition)
        }
        guard let expires = options.expires else { return }
        // No cache may keep the response for longer than the URL is valid.
        let left = max(0, Double(expires) - now), age = Double(fields["Age"]?.asDigits ?? 0)
        fields["Cache-Control"] =
            fields["Cache-Control"]?.limitingLifetimes(to: Int(saturating: age + left)) ?? "public, max-age=0"
    }

    /// Returns Content-Disposition (RFC 6266): the file name of the URL or the source, with the result's extension. Clients
    /// that do not read `filename*` get a name in ASCII.
    private func disposition(of rendition: RenditionRequest) -> ByteString {
        let options = rendition.options
        let format = fields["Content-Type"]?.split(separator: UInt8(ascii: "/")).last ?? ""
        let suffix: ByteString = format == "jpeg" ? ".jpg" : ".\(format)"
        let name = options.fileName ?? rendition.source.fileStem
        let file: ByteString = name.hasSuffix(suffix) ? name : "\(name)\(suffix)"
        let type = options.isAttachment ? "attachment" : "inline"
        return "\(type); filename=\"\(file.plainFileName)\"; filename*=UTF-8''\(file.escapedInParameter)"
    }
}

extension ByteString {
    /// The text of Cache-Control with no lifetime above `limit`, and without the directives that allow stale responses.
    fileprivate func limitingLifetimes(to limit: Int) -> ByteString {
        let parts = split(separator: UInt8(ascii: ",")).map(\.trimmed).filter { !$0.hasPrefix("stale-") }
        return parts.map { part in
            for name: ByteString in ["max-age=", "s-maxage="] where part.hasPrefix(name) {
                return "\(name)\(min(part.dropFirst(name.count).asDigits ?? 0, limit))"
            }
            return part
        }.joined(separator: ", ")
    }

    /// The name with "_" for each character that is not ASCII, or that clients read in several ways in a quoted string.
    fileprivate var plainFileName: ByteString {
        let special: [Character] = ["\"", "\\", "%", "/"]
        return ByteString(String(displayed.map { $0.isASCII && !$0.isNewline && !special.contains($0) ? $0 : "_" }))
    }

    /// The last component of a URL's path, without its extension.
    fileprivate var fileStem: ByteString {
        let path = split(separator: UInt8(ascii: "?"))[0]
        let name = path.split(separator: UInt8(ascii: "/")).last ?? ""
        let parts = name.split(separator: UInt8(ascii: "."))
        return parts.count > 1 ? parts.dropLast().joined(separator: ".") : name
    }
}
