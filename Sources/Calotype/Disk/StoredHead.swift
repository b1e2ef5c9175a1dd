package import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

/// The head of a stored response: the metadata of its entry in the disk store.
///
/// Stored as readable text: a line "200 https://…", then a line "Name: value" for each field.
package struct StoredHead: Hashable, Sendable {
    /// The URL of the response, after redirects. Empty for a custom source.
    package var url: ByteString
    var status: Int
    var fields: HTTPFields

    package init(url: ByteString, status: Int, fields: HTTPFields) {
        self.url = url
        self.status = status
        self.fields = fields
    }

    /// The Content-Type from the server, without its parameters. The decoders ignore it.
    package var mediaType: CaselessString? {
        fields["Content-Type"]?.split(separator: 0x3B, maxSplits: 1).first.map { CaselessString($0.trimmed) }
    }

    package var encoded: Data {
        var text = Data()
        text.appendLine("\(status) \(url)")
        text.appendLines(of: fields)
        return text
    }

    package init?(encoded: Data) {
        guard var lines = StoredLines(encoded), let first = lines.next(), let space = first.firstIndex(of: 0x20),
            let status = Int(first[..<space].text), let fields = lines.fields(), lines.next() == nil
        else { return nil }
        self.init(url: ByteString(bytes: first[(space + 1)...]), status: status, fields: fields)
    }

    /// Decodes the head from an entry's metadata. For an entry of the HTTP cache, this is its first variant's head.
    package init?(metadata: Data) {
        if let head = [StoredVariant](encodedHeads: metadata)?.first?.head {
            self.init(url: head.url, status: head.status, fields: head.fields)
        } else {
            self.init(encoded: metadata)
        }
    }
}
