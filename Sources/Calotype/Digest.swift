import CalotypeHTTP
import Foundation

/// Digests for keys: what tells one request from another without keeping what it says.
///
/// SHA-256, because a keyless fast hash would not do: whoever can choose a header or a body must not be able to meet
/// another's entry.
enum Digest {
    /// Over the identity fields, each with its name and length; nil where there are none of them.
    static func identity(of fields: HTTPFields, names: [CaselessString]) -> String? {
        guard !fields.isEmpty else { return nil }
        var text: ByteString = ""
        for name in names {
            for value in fields.values(of: name) { text.append("\(name.lowercased):\(value.count):\(value)\n") }
        }
        return text.isEmpty ? nil : text.withBytes { sha256($0) }
    }

    /// In hexadecimal.
    static func sha256(_ bytes: some Sequence<UInt8>) -> String {
        let direct = bytes.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
        return hexadecimal(direct ?? Array(bytes).withUnsafeBytes { digest($0) })
    }

    /// Part of every look into memory for a request with header fields.
    private static func hexadecimal(_ digest: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * digest.count) { text in
            for (index, byte) in digest.enumerated() {
                text[2 * index] = hexDigit(byte >> 4)
                text[2 * index + 1] = hexDigit(byte & 15)
            }
            return 2 * digest.count
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
