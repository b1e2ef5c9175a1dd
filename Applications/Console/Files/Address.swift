package import CalotypeBase
import CalotypeHTTP
package import Foundation

/// An image's address as typed, and its URL.
package struct Address: Sendable {
    package let url: URL
    /// The path of a file; `nil` if the address is a URL.
    package let path: LocalPath?

    package var isURL: Bool { path == nil }

    /// Returns an input's name for output: a URL without user and password, a path unchanged.
    package static func shown(_ name: ByteString) -> ByteString {
        scheme(of: name.displayed) == nil ? name : name.withoutUserInfo
    }

    /// Returns whether a name is a `data:` URL, whose text is of no use to other programs.
    static func isData(_ name: ByteString) -> Bool { name.lowercasedASCII.hasPrefix("data:") }

    /// Returns an address for messages, shortened above 400 bytes: a `data:` URL may be megabytes long.
    package static func label(of name: ByteString) -> String { label(of: shown(name).displayed) }

    package static func label(of text: String) -> String {
        if text.isEmpty { return "\"\"" }
        return text.utf8.count > 400 ? "\(text.prefix(180))… (\(text.utf8.count) bytes)" : text
    }

    /// - Parameter allowsPaths: Whether a name without a scheme is the path of a file.
    package init(_ name: ByteString, allowsPaths: Bool) throws(Failure) {
        guard !name.isEmpty else { throw Failure(code: "invalidURL", "the name is empty") }
        let text = name.displayed
        let scheme = Address.scheme(of: text)
        if scheme == nil, allowsPaths {
            let path = LocalPath(name)
            self.path = path
            url = path.url
            return
        }
        guard name.utf8Text != nil else {
            throw Failure(code: "invalidURL", "not a URL: percent-encode the bytes that are not UTF-8")
        }
        guard let scheme else {
            throw Failure(code: "invalidURL", "not a URL: the scheme is missing, such as https://")
        }
        guard let url = URL(text: ByteString(text)) else { throw Failure(code: "invalidURL", "not a URL") }
        if ["http", "https"].contains(scheme), (url.host() ?? "").isEmpty {
            throw Failure(code: "invalidURL", "not a URL: the host is missing")
        }
        self.url = url
        path = nil
    }

    /// Returns the scheme in lower case (RFC 3986 §3.1): a letter, then letters, digits, "+", "-" or "."; otherwise
    /// `nil`. A single letter is not a scheme, because on other systems it names a drive.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
        return isScheme && scheme.count > 1 && scheme.first?.isLetter == true ? scheme : nil
    }
}
