import CalotypeBase
package import Foundation

/// A prefix of URLs: an origin, and whole segments of a path.
package struct URLPrefix: Hashable, Sendable {
    private let origin: HTTPOrigin
    private let segments: [ByteString]

    /// - Throws: `unsupportedScheme` unless the scheme is http or https; `malformedURL` if the text is not a valid URL,
    ///   or has a user, a query, a fragment or dot segments.
    package init(_ text: String) throws(TransportError) {
        guard let url = URL(text: ByteString(text)), url.query == nil, url.fragment == nil,
            let segments = url.plainSegments
        else {
            throw TransportError(.malformedURL, "not a URL prefix: \"\(text.prefix(200))\"")
        }
        origin = try HTTPOrigin(url)
        self.segments = segments.last == "" ? Array(segments.dropLast()) : segments
    }

    /// Returns `true` if the URL begins with the prefix. A URL with a user or with dot segments, encoded or not, never
    /// does, because servers interpret such URLs differently.
    package func covers(_ url: URL) -> Bool {
        guard let segments = url.plainSegments, (try? HTTPOrigin(url)) == origin else { return false }
        return segments.starts(with: self.segments)
    }
}

extension URL {
    /// The segments of the path as spelled, or `nil` if the URL has a user or dot segments.
    fileprivate var plainSegments: [ByteString]? {
        guard user(percentEncoded: true) == nil, password(percentEncoded: true) == nil else { return nil }
        let segments = ByteString(path(percentEncoded: true)).split(separator: UInt8(ascii: "/")).dropFirst()
        return segments.contains(where: \.hasDotSegment) ? nil : Array(segments)
    }
}

extension ByteString {
    /// `true` if the segment, percent-decoded and split at slashes, contains "." or "..", or if it is not UTF-8.
    fileprivate var hasDotSegment: Bool {
        guard let decoded = percentDecoded?.bytes, String(bytes: decoded, encoding: .utf8) != nil
        else { return true }
        return decoded.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
