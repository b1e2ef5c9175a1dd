public import Foundation

/// A final response: its head, and its body as it arrives.
public struct HTTPResponse: Sendable {
    /// Where it came from: after redirects, the last URL.
    public var url: URL
    public var status: Int
    public var fields: HTTPFields
    /// "1.0", "1.1" or "2"; empty where the scheme has none (`file:`, `data:`).
    public var version: String
    public var body: HTTPBody

    public init(url: URL, status: Int, fields: HTTPFields = [:], version: String = "1.1", body: HTTPBody = .empty) {
        self.url = url
        self.status = status
        self.fields = fields
        self.version = version
        self.body = body
    }

    /// Content-Length as a number (RFC 9110 §8.6); nil where it is absent or not one.
    ///
    /// Several equal values, as one list or several lines, count as one.
    public var contentLength: Int? {
        guard let joined = fields["Content-Length"] else { return nil }
        let numbers = Set(joined.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard numbers.count == 1, let digits = numbers.first, !digits.isEmpty,
            digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        return Int(digits)
    }
}
