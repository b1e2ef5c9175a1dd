import CalotypeBase
import CalotypeStore
import Foundation

/// The file format of a value: signature, checksum of key and value, length of the key, key, value.
enum LocalFile {
    private static let mark = Data("calotyp1".utf8)
    private static let headerSize = 24

    static func name(for key: String) -> ByteString {
        var key = key
        return key.withUTF8 { "\(KeyHash(of: UnsafeRawBufferPointer($0)).text).data" }
    }

    static func isName(_ name: ByteString) -> Bool { name.hasSuffix(".data") && name.count == 37 }

    /// Returns the file's bytes in two pieces, so that the value is not copied: header and key, then the value.
    static func pieces(of value: Data, for key: String) -> [Data] {
        let key = Data(key.utf8)
        var sums = Data()
        for sum in [Checksum.of(key), Checksum.of(value), UInt64(value.count)] { sums.append(littleEndian: sum) }
        var header = mark
        header.append(littleEndian: Checksum.of(sums))
        header.append(littleEndian: UInt64(key.count))
        header.append(key)
        return [header, value]
    }

    /// Returns the value in a file, or `nil` if the bytes are damaged or belong to another key.
    static func value(in bytes: Data, for key: String) -> Data? {
        let headerCount = headerSize + key.utf8.count
        guard bytes.count >= headerCount else { return nil }
        let value = bytes.suffix(from: bytes.startIndex + headerCount)
        guard bytes.prefix(headerCount) == pieces(of: value, for: key)[0] else { return nil }
        return Data(value)
    }
}
