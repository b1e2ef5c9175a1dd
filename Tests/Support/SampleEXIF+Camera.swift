package import Foundation

extension SampleEXIF {
    /// Texts that lie in a block of ``camera(thumbnail:isBigEndian:)``, by which tests find its parts in a file.
    package enum Mark {
        package static let thumbnail = Data("THUMBNAIL OF THE UNCROPPED IMAGE".utf8)
        package static let makerNote = Data("MAKER NOTE WITH A PREVIEW".utf8)
        package static let place = Data("PLACE OF THE PHOTO".utf8)
        package static let packet = Data("<x:xmpmeta>A PACKET OF XMP".utf8)
        package static let padding = Data("A PRIVATE TAG".utf8)
    }

    /// Returns a block with the facts of a photograph of 4000 × 3000 pixels in Adobe RGB, turned by 90°, with a place,
    /// a MakerNote, XMP, private tags and a thumbnail.
    package static func camera(thumbnail: Data = Mark.thumbnail, isBigEndian: Bool = false) -> Data {
        var block = TIFFDirectories(isBigEndian: isBigEndian)
        block.main = [
            block.number(0x0100, long: 4000), block.number(0x0101, long: 3000), block.text(0x010E, "A lake"),
            block.text(0x010F, "Canon"), block.text(0x0110, "Canon EOS R5"), block.number(0x0112, short: 6),
            block.text(0x0132, "2026:06:02 08:00:00"), block.text(0x013B, "Ann Lee"),
            block.raw(0x02BC, Mark.packet), block.text(0x8298, "(c) 2026 Ann Lee"), block.raw(0xC4A5, Mark.padding),
        ]
        block.photo = [
            block.text(0x9003, "2026:05:01 12:30:00"), block.text(0x9011, "+02:00"), block.raw(0x927C, Mark.makerNote),
            block.number(0xA001, short: 65_535), block.number(0xA002, short: 4000), block.number(0xA003, short: 3000),
            block.text(0xA434, "RF24-70mm F2.8"),
        ]
        block.place = [block.text(0x0001, "N"), block.raw(0x001B, Mark.place)]
        return block.assembled(thumbnail: thumbnail)
    }
}

/// A writer of the four directories of a camera's block.
private struct TIFFDirectories {
    typealias Entry = (tag: Int, type: Int, count: Int, value: Data)

    let isBigEndian: Bool
    var (main, photo, place): ([Entry], [Entry], [Entry]) = ([], [], [])

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    func bytes(_ number: Int, _ count: Int) -> Data {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return Data(isBigEndian ? little.reversed() : little)
    }

    func number(_ tag: Int, short number: Int) -> Entry { (tag, 3, 1, bytes(number, 2)) }
    func number(_ tag: Int, long number: Int) -> Entry { (tag, 4, 1, bytes(number, 4)) }
    func text(_ tag: Int, _ text: String) -> Entry { (tag, 2, text.utf8.count + 1, Data(text.utf8) + [0]) }
    func raw(_ tag: Int, _ value: Data) -> Entry { (tag, 7, value.count, value) }

    /// Returns the header, the directories, their values, and the thumbnail.
    func assembled(thumbnail: Data) -> Data {
        let counts = [main.count + 2, photo.count, place.count, 2]
        let starts = counts.indices.map { index in 8 + counts[..<index].reduce(0) { $0 + 2 + 12 * $1 + 4 } }
        let valueStart = starts[3] + 2 + 24 + 4
        let outside = (main + photo + place).reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
        let directories = [
            main + [number(0x8769, long: starts[1]), number(0x8825, long: starts[2])], photo, place,
            [number(0x0201, long: valueStart + outside), number(0x0202, long: thumbnail.count)],
        ]
        var (head, values) = (Data(), Data())
        for (index, directory) in directories.enumerated() {
            head += bytes(directory.count, 2)
            for entry in directory {
                head += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4)
                guard entry.value.count > 4 else {
                    head += entry.value + Data(count: 4 - entry.value.count)
                    continue
                }
                head += bytes(valueStart + values.count, 4)
                values += entry.value
            }
            // The first directory leads to that of the thumbnail.
            head += bytes(index == 0 ? starts[3] : 0, 4)
        }
        return Data((isBigEndian ? "MM" : "II").utf8) + bytes(42, 2) + bytes(8, 4) + head + values + thumbnail
    }
}
