internal import CalotypeBase
package import Foundation

extension URL {
    package var caselessScheme: CaselessString? { scheme.map { CaselessString($0) } }

    /// Creates the absolute URL for a reference in a field such as Location. Bytes above 0x7F, which a URL must not
    /// contain (RFC 3986 §2), are percent-encoded one by one, because decoding them as text would change them.
    package init?(reference: ByteString, relativeTo base: URL) {
        guard let url = URL(string: reference.withoutBytesAboveASCII, relativeTo: base)?.absoluteURL else { return nil }
        self = url
    }
}

extension ByteString {
    fileprivate var withoutBytesAboveASCII: String {
        withBytes { bytes in
            guard bytes.contains(where: { $0 > 0x7F }) else { return string }
            return bytes.reduce(into: "") { text, byte in
                if byte > 0x7F {
                    text += "%" + String(byte, radix: 16, uppercase: true)
                } else {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                }
            }
        }
    }
}
