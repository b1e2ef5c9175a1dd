import CalotypeHTTP
import Foundation

/// Digests for keys: what tells one request from another without keeping what it says.
///
/// SHA-256, because a keyless fast hash would not do: whoever can choose a header or a body must not be able to meet
/// another's entry.
enum Digest {
    /// Over the identity fields, each with its name and length; nil where there are none of them.
    static func identity(of fields: HTTPFields, names: [String]) -> String? {
        guard !fields.isEmpty else { return nil }
        var text = ""
        for name in names {
            for value in fields.values(of: name) { text += "\(name.lowercased()):\(value.utf8.count):\(value)\n" }
        }
        return text.isEmpty ? nil : sha256(Data(text.utf8))
    }

    /// In hexadecimal.
    static func sha256(_ data: Data) -> String {
        digest(data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
