import CalotypeBase
import CalotypeHTTP

extension AcceptedFormats {
    /// Reads the values of Accept (RFC 9110 §12.5.1). A format is accepted if it is named with a quality above 0.
    ///
    /// Ranges such as `image/*` do not count: browsers send them although they cannot decode every format.
    init(accept values: [ByteString]) {
        var accepted: [ByteString: Bool] = [:]
        for value in values {
            for range in value.split(separator: UInt8(ascii: ",")) {
                let words = range.split(separator: UInt8(ascii: ";")).map { $0.trimmed.lowercasedASCII }
                let quality = words.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2).string
                accepted[words[0]] = quality.map { (Double($0) ?? 0) > 0 } ?? true
            }
        }
        self.init(webp: accepted["image/webp"] ?? false, avif: accepted["image/avif"] ?? false)
    }
}
