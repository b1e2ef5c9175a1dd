package import CalotypeBase
package import Foundation

extension LocalPath {
    /// The `file:` URL of the absolute path. Bytes that a URL must not contain are percent-encoded one by one.
    package var url: URL {
        // The text has only characters that every URL may contain.
        URL(string: "file://\(absolute.bytes.percentEncoded)") ?? URL(fileURLWithPath: "/")
    }

    /// Reads the path of a `file:` URL, which `URL.path` cannot return if it is not UTF-8.
    ///
    /// - Returns: `nil` if the URL is not a `file:` URL, or its path does not begin with "/" or contains a NUL.
    package init?(fileURL url: URL) {
        guard url.isFileURL, let path = ByteString(url.path(percentEncoded: true)).percentDecoded, path.hasPrefix("/"),
            !path.contains(0)
        else { return nil }
        self.init(path)
    }
}

extension ByteString {
    /// The bytes as a path of a URL: all but slashes and unreserved characters are percent-encoded.
    package var percentEncoded: String {
        bytes.reduce(into: "") { text, byte in
            if byte.isUnreserved || byte == UInt8(ascii: "/") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + byte.twoDigits
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF) || "-._~".utf8.contains(self)
    }
}
