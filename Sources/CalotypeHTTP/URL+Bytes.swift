internal import CalotypeBase
package import Foundation

extension URL {
    /// The scheme, for comparing.
    package var caselessScheme: CaselessString? { scheme.map { CaselessString($0) } }

    /// Creates the absolute URL that a field such as Location means.
    ///
    /// Bytes above 0x7F, which do not belong there (RFC 3986 §2), are percent-encoded one by one: as text they would become
    /// others.
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
