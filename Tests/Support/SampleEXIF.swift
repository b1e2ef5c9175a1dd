package import Foundation

/// EXIF blocks as cameras write them, for tests.
package enum SampleEXIF {
    /// Returns a block with an orientation, the author and the copyright, and the place where the photo was taken.
    ///
    /// If a text is `nil`, the block does not contain its tag.
    package static func block(
        artist: String?, copyright: String?, orientation: Int = 1, isBigEndian: Bool = false
    ) -> Data {
        var block = TIFFBlock(isBigEndian: isBigEndian)
        block.entries.append((0x0112, 3, 1, block.number(orientation, bytes: 2)))
        if let artist { block.append(0x013B, text: artist) }
        if let copyright { block.append(0x8298, text: copyright) }
        return block.assembled(latitude: "N12345")
    }

    /// Returns a copy of `jpeg` with `block` in front of its other segments.
    package static func jpeg(_ jpeg: Data, with block: Data) -> Data {
        let length = 2 + 6 + block.count
        let marker = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)])
        return jpeg.prefix(2) + marker + Data("Exif\0\0".utf8) + block + jpeg.dropFirst(2)
    }
}

private struct TIFFBlock {
    let isBigEndian: Bool
    var entries: [(tag: Int, type: Int, count: Int, value: Data)] = []

    func number(_ number: Int, bytes: Int) -> Data {
        let little = (0..<bytes).map { UInt8(number >> (8 * $0) & 255) }
        return Data(isBigEndian ? little.reversed() : little)
    }

    mutating func append(_ tag: Int, text: String) {
        let bytes = Data(text.utf8) + [0]
        entries.append((tag, 2, bytes.count, bytes))
    }

    /// Returns the TIFF header, the directory of `entries`, a GPS directory with the latitude, and the values.
    func assembled(latitude: String) -> Data {
        let place = 8 + 2 + 12 * (entries.count + 1) + 4, values = place + 2 + 12 + 4
        var all = entries
        all.append((0x8825, 4, 1, number(place, bytes: 4)))
        var (directories, texts) = (number(all.count, bytes: 2), Data())
        func append(_ entry: (tag: Int, type: Int, count: Int, value: Data)) {
            directories += number(entry.tag, bytes: 2) + number(entry.type, bytes: 2) + number(entry.count, bytes: 4)
            if entry.value.count <= 4 {
                directories += entry.value + Data(count: 4 - entry.value.count)
            } else {
                directories += number(values + texts.count, bytes: 4)
                texts += entry.value
            }
        }
        all.forEach(append)
        directories += number(0, bytes: 4) + number(1, bytes: 2)
        append((1, 2, latitude.utf8.count + 1, Data(latitude.utf8) + [0]))
        directories += number(0, bytes: 4)
        return Data((isBigEndian ? "MM" : "II").utf8) + number(42, bytes: 2) + number(8, bytes: 4) + directories + texts
    }
}
