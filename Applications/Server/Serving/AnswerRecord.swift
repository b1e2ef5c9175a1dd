import CalotypeBase
import CalotypeHTTP
import CalotypeURLs
import Foundation

/// One answer, for the log. JSON leaves out the properties that are `nil`.
package struct AnswerRecord: Encodable, Hashable, Sendable {
    /// The time of the answer (RFC 3339), in UTC with milliseconds.
    package var time: String
    /// The X-Request-ID of the answer; `nil` if the request was not HTTP.
    package var id: String?
    package var status: Int
    /// The canonical text of the URL, which has no signature. If the URL cannot be parsed, its options and its source.
    package var rendition: String?
    /// The URL of the source.
    package var source: String?
    /// The reason for the status: for the owner of the server only, because it may contain addresses and paths.
    package var reason: String?
}

/// Makes the records of answers with a status of 400 and above, and passes them on.
struct AnswerLog: Sendable {
    private let add: (@Sendable (AnswerRecord) -> Void)?
    private let wallClock: WallClock

    init(_ options: RenditionServer.Options) {
        add = options.log
        wallClock = options.wallClock
    }

    /// - Parameters:
    ///   - fields: The fields that every answer to the request has.
    ///   - asked: The request's URL; evaluated only for a record.
    func note(_ status: Int, _ fields: HTTPFields, _ asked: @autoclosure () -> LoggedURL, _ reason: String?) {
        guard status >= 400, let add else { return }
        let asked = asked()
        add(
            AnswerRecord(
                time: time, id: fields["X-Request-ID"]?.string, status: status, rendition: asked.rendition?.shortText,
                source: asked.source?.shortText, reason: reason?.withoutUserInfo))
    }

    private var time: String {
        Date(timeIntervalSince1970: wallClock.now).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// A URL as the log may show it: without its signature, and without the user of its source.
struct LoggedURL: Sendable {
    var rendition: ByteString?
    var source: ByteString?

    /// The URL of a request without one.
    static let none = LoggedURL(rendition: nil, source: nil)

    private init(rendition: ByteString?, source: ByteString?) {
        (self.rendition, self.source) = (rendition, source)
    }

    init(_ rendition: RenditionRequest) {
        var options = rendition.options
        options.fallback = options.fallback?.loggedSource
        let source = rendition.source.loggedSource
        self.init(rendition: RenditionRequest(source: source, options: options).canonicalText, source: source)
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
        let parts = path.dropFirst().split(separator: UInt8(ascii: "/"))
        let count = grammar.takesPresetsOnly ? 1 : parts.prefix { URLOption($0) != nil }.count
        let source = (try? SourceText(parts.dropFirst(count)))?.wholeURL.normalizedSource.loggedSource
        let end = source.map { [ByteString("plain"), $0.escapedInPath] } ?? []
        self.init(rendition: (parts.prefix(count) + end).joined(separator: "/"), source: source)
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
