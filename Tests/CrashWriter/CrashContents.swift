import CalotypeTesting
package import Foundation

/// Contents that identify their key, so that a test can verify that a store returns the stored bytes.
package enum CrashContents {
    /// Returns the key and a number, then bytes that follow from both.
    package static func body(key: String, number: UInt64, size: Int) -> Data {
        var body = metadata(key: key, number: number)
        guard body.count < size else { return body }
        var generator = SplitMix(seed: number &+ key.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) })
        body.reserveCapacity(size + 8)
        while body.count < size { withUnsafeBytes(of: generator.next()) { body.append(contentsOf: $0) } }
        return body.prefix(size)
    }

    package static func metadata(key: String, number: UInt64) -> Data {
        Data("\(key)\n\(number)\n".utf8)
    }

    /// Returns `true` if body and metadata were made for this key, with one number, and are whole.
    package static func areGenuine(_ body: Data, metadata: Data, key: String) -> Bool {
        let lines = String(decoding: metadata, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == key, let number = UInt64(lines[1]) else { return false }
        return body == self.body(key: key, number: number, size: body.count)
    }
}
