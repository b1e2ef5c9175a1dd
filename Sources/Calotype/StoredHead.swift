public import CalotypeHTTP
import CalotypeHTTPCache
public import Foundation

/// The head of a stored response: what the byte store keeps as an entry's metadata.
///
/// Kept as text, so that a person can read it: a line "200 https://…", then a line "Name: value" for each field.
public struct StoredHead: Hashable, Sendable {
    /// Where the bytes came from: after redirects, the last URL. Empty for a custom source.
    public var url: String
    public var status: Int
    public var fields: HTTPFields

    public init(url: String, status: Int, fields: HTTPFields) {
        self.url = url
        self.status = status
        self.fields = fields
    }

    /// The Content-Type without its parameters, as the server said; the decoders do not ask it.
    public var mediaType: String? {
        fields["Content-Type"]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The metadata of an entry. Line ends inside a value, which HTTP forbids, become spaces.
    public var encoded: Data {
        var text = "\(status) \(url)\n"
        for field in fields { text += "\(oneLine(field.name)): \(oneLine(field.value))\n" }
        return Data(text.utf8)
    }

    /// Nil where `encoded` did not make these bytes.
    public init?(encoded: Data) {
        guard let text = String(validating: encoded, as: UTF8.self), text.utf8.last == UInt8(ascii: "\n") else {
            return nil
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard let first = lines.popFirst(), let space = first.firstIndex(of: " "), let status = Int(first[..<space])
        else { return nil }
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstRange(of: ": ") else { return nil }
            fields.append(String(line[colon.upperBound...]), to: String(line[..<colon.lowerBound]))
        }
        self.init(url: String(first[first.index(after: space)...]), status: status, fields: fields)
    }

    /// The head of any of a loader's entries: those of the HTTP cache too, of which the first variant's is given.
    public init?(metadata: Data) {
        if let head = StoredVariantText.decode(metadata)?.first?.head {
            self.init(url: head.url, status: head.status, fields: head.fields)
        } else {
            self.init(encoded: metadata)
        }
    }

    private func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
        return String(text.map { $0.isNewline ? " " : $0 })
    }
}
