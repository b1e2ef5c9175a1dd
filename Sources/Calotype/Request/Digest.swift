import CalotypeHTTP
import CalotypeHTTPCache
import Foundation

enum Digest {
    /// Returns a digest of the names and values of the identity fields, or `nil` if `fields` contains none of them.
    static func identity(of fields: HTTPFields, names: [CaselessString]) -> String? {
        guard !fields.isEmpty else { return nil }
        var text: ByteString = ""
        for name in names {
            for value in fields.values(of: name) { text.append("\(name.lowercased):\(value.count):\(value)\n") }
        }
        return text.isEmpty ? nil : text.withBytes { sha256($0) }
    }

    static func sha256(_ bytes: some Sequence<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable { KeyDigest.hex(of: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { KeyDigest.hex(of: $0) }
    }
}
