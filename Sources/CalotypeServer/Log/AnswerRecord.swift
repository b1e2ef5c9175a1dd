import CalotypeBase
import CalotypeHTTP
import CalotypeURLs

/// One request and its answer, for the log.
package struct AnswerRecord: Hashable, Sendable {
    /// The time of the answer (RFC 3339), in UTC with milliseconds.
    package var time: String
    /// The X-Request-ID of the answer; `nil` if the request was not HTTP.
    package var id: String?
    package var status: Int
    /// `nil` if the answer, which has a record with its outcome, was broken off.
    package var outcome: ServerMetrics.Outcome?
    /// The outcome in the cache of sources: "hit", "stale", "revalidated", "fetched" or "coalesced". `nil` if the request
    /// has not asked that cache, or for a local source.
    package var sourceOutcome: String?
    /// The size of the body, in bytes; of an answer that was broken off, the number of bytes sent.
    package var bytes: Int
    package var times: Times
    /// The canonical text of the URL, which has no signature. If the URL cannot be parsed, its options and its source.
    package var rendition: String?
    /// The URL of the source.
    package var source: String?
    /// The facts that ``LogOptions/fields`` names; `nil` for others.
    package var method: String?
    package var client: String?
    package var trace: String?
    package var userAgent: String?
    package var sourceFormat: String?
    package var sourceBytes: Int?
    /// The reason for the status: for the owner of the server only, because it may contain addresses and paths.
    package var reason: String?

    /// The times that the stages took for this request, and the time from the request until the response began. `nil` for
    /// a stage that did not run for this request.
    package struct Times: Hashable, Sendable {
        package var queue: Duration?
        package var fetch: Duration?
        package var decode: Duration?
        package var encode: Duration?
        package var total: Duration?
    }
}

/// A URL as the log may show it: without its signature, and without the user of its source.
struct LoggedURL: Sendable {
    let rendition: String?
    let source: String?

    /// The URL of a request without one.
    static let none = LoggedURL(rendition: nil, source: nil)

    private init(rendition: ByteString?, source: ByteString?) {
        (self.rendition, self.source) = (rendition?.shortText, source?.shortText)
    }

    init(_ rendition: RenditionRequest) {
        var options = rendition.options
        options.fallback = options.fallback?.loggedSource
        let source = rendition.source.loggedSource
        self.init(rendition: RenditionRequest(source: source, options: options).canonicalText, source: source)
    }

    /// - Parameter target: The target of a POST, which may have any form. Its image has no URL.
    init(postedTarget target: ByteString) {
        guard let path = SignedPath.withoutSignature(target) else {
            self = .none
            return
        }
        let parts = path.split(separator: UInt8(ascii: "/")).filter { !$0.isEmpty }
        self.init(
            rendition: parts.map { $0 == PostedPath.separator ? $0 : $0.loggedOption }.joined(separator: "/"),
            source: nil)
    }

    /// - Parameter target: The target of a request in imaginary's form, which may have any form, and a key.
    init(imaginaryTarget target: ByteString) {
        self.init(rendition: ImaginaryTarget.withoutKeys(target), source: nil)
    }

    /// - Parameter target: The target of a request, which may have any form.
    init(target: ByteString, _ grammar: RenditionGrammar) {
        guard let path = SignedPath.withoutSignature(target) else {
            self = .none
            return
        }
        if let request = try? grammar.request(for: path).request {
            self.init(request)
            return
        }
        var parts = path.dropFirst().split(separator: UInt8(ascii: "/"))[...]
        let kind = parts.first == RenditionGrammar.infoName ? [parts.removeFirst()] : []
        let count = grammar.takesPresetsOnly ? 1 : parts.prefix { URLOption($0) != nil }.count
        let source = (try? SourceText(parts.dropFirst(count)))?.wholeURL.normalizedSource.loggedSource
        let end = source.map { [ByteString("plain"), $0.escapedInPath] } ?? []
        let options = parts.prefix(count).map(\.loggedOption)
        self.init(rendition: (kind + options + end).joined(separator: "/"), source: source)
    }
}

extension SourceText {
    /// The URL with all that follows it, unless that is a format: a plain source may contain "@".
    fileprivate var wholeURL: ByteString {
        guard let format, RenditionFormat(extension: format) == nil else { return url }
        return "\(url)@\(format)"
    }
}

extension ByteString {
    /// The options whose value is a URL in base64, in which a user and a password may be.
    private static let optionsOfURLs: Set<ByteString> = ["fiu", "fallback_image_url", "wmu", "watermark_url"]

    /// An option of a URL that cannot be parsed, without the value if that is a URL.
    fileprivate var loggedOption: ByteString {
        guard let option = URLOption(self), Self.optionsOfURLs.contains(option.name) else { return self }
        return "\(option.name):…"
    }

    /// The URL of a source without the user and the password in front of its host, also if the source lacks a scheme.
    fileprivate var loggedSource: ByteString {
        if contains("://") { return withoutUserInfo }
        let reference: ByteString = "//\(self)"
        return reference.withoutUserInfo.dropFirst(2)
    }

    /// The text for a record: its first 2,048 characters.
    fileprivate var shortText: String {
        count <= 2048 ? string : "\(string.prefix(2048))…"
    }
}
