import Foundation

// JPEG files as cameras make them.

extension Data {
    /// Returns this JPEG with one more segment after its first two bytes.
    func addingSegment(_ marker: UInt8, _ content: Data) -> Data {
        .joined([prefix(2), Data([0xFF, marker]), .numbers((content.count + 2, 2)), content, dropFirst(2)])
    }

    /// Returns this JPEG with an orientation, and with the name of a geodetic datum among its GPS data.
    func addingEXIF(orientation: Int, place: String = "") -> Data {
        // Two directories of 30 and 18 bytes behind a head of 8, then the name.
        let head = Data.joined([Data("Exif\0\0MM".utf8), .numbers((42, 2), (8, 4))])
        let upright = Data.numbers((0x0112, 2), (3, 2), (1, 4), (orientation, 2), (0, 2))
        let pointer = Data.numbers((0x8825, 2), (4, 2), (1, 4), (38, 4))
        let datum = Data.numbers((0x0012, 2), (2, 2), (place.utf8.count + 1, 4), (56, 4))
        let end = Data(count: 4)
        return addingSegment(
            0xE1,
            .joined([
                head, .numbers((2, 2)), upright, pointer, end, .numbers((1, 2)), datum, end, Data("\(place)\0".utf8),
            ]))
    }

    /// Returns this JPEG with a linear profile that has the primaries of sRGB, in place of its own profile.
    func replacingProfileByLinear() -> Data {
        let name = Data("ICC_PROFILE\0\u{1}\u{1}".utf8)
        var plain = self
        if let own = range(of: name) {
            let length = Int(self[own.lowerBound - 2]) << 8 | Int(self[own.lowerBound - 1])
            plain.removeSubrange(own.lowerBound - 4..<own.lowerBound - 2 + length)
        }
        return plain.addingSegment(0xE2, .joined([name, .linearProfile]))
    }

    private static var linearProfile: Data {
        let white = [0.9642, 1, 0.8249]
        // A curve without points is the identity.
        let curve = Data("curv\0\0\0\0\0\0\0\0".utf8)
        let tags: [(name: String, content: Data)] = [
            ("rXYZ", color([0.4360, 0.2225, 0.0139])), ("gXYZ", color([0.3851, 0.7169, 0.0971])),
            ("bXYZ", color([0.1431, 0.0606, 0.7141])), ("wtpt", color(white)),
            ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        let start = 128 + 4 + 12 * tags.count
        var (table, contents) = (Data.numbers((tags.count, 4)), Data())
        for tag in tags {
            table.append(Data(tag.name.utf8))
            table.append(.numbers((start + contents.count, 4), (tag.content.count, 4)))
            contents.append(tag.content)
        }
        let head = Data.joined([
            .numbers((start + contents.count, 4), (0, 4), (0x0210_0000, 4)), Data("mntrRGB XYZ ".utf8), Data(count: 12),
            Data("acsp".utf8), Data(count: 28), color(white).dropFirst(8), Data(count: 48),
        ])
        return .joined([head, table, contents])
    }

    /// Returns an XYZ tag with three fixed-point numbers, of 16 bits before and after the point.
    private static func color(_ numbers: [Double]) -> Data {
        .joined([Data("XYZ \0\0\0\0".utf8)] + numbers.map { .numbers((Int(($0 * 65536).rounded()), 4)) })
    }

    /// Returns numbers as big-endian bytes, each in the given count of bytes.
    private static func numbers(_ numbers: (value: Int, bytes: Int)...) -> Data {
        var data = Data()
        for (value, bytes) in numbers {
            for place in (0..<bytes).reversed() { data.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
        }
        return data
    }

    private static func joined(_ parts: [Data]) -> Data { Data(parts.joined()) }
}
