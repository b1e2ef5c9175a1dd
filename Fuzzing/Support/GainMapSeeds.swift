import CalotypeCodecs
public import Foundation

/// Small JPEGs with a gain map of each kind, which an index or a directory in XMP names.
public enum GainMapSeeds {
    /// Files by ISO 21496-1, of Ultra HDR, and with both forms; the same three with numbers of three colors; and one of Apple's.
    public static var all: [Data] {
        get throws {
            let images = try Decoding.bitmaps().suffix(1).map { try $0.encoded(as: .jpeg(quality: 30)) }
            let channel = GainMapNumbers.Channel(least: -0.5, most: 2, gamma: 1.5)
            guard let image = images.first,
                let numbers = GainMapNumbers([channel], baseHeadroom: 0, alternateHeadroom: 2),
                let colors = GainMapNumbers(
                    [channel, .init(least: 0, most: 1), channel], baseHeadroom: 0.5, alternateHeadroom: 3)
            else { return [] }
            let apple = """
                <x xmlns:a='http://ns.apple.com/pixeldatainfo/1.0/' xmlns:h='http://ns.apple.com/HDRGainMap/1.0/' \
                h:HDRGainMapHeadroom='4'><a:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap\
                </a:AuxiliaryImageType></x>
                """
            return [numbers, colors].flatMap { numbers in
                [
                    indexed(image, image.adding(0xE2, iso + numbers.iso)),
                    named(image, image.adding(0xE1, xmp + Data(numbers.xmp.utf8))),
                    indexed(image, image.adding(0xE2, iso + numbers.iso).adding(0xE1, xmp + Data(numbers.xmp.utf8))),
                ]
            } + [indexed(image, image.adding(0xE1, xmp + Data(apple.utf8)))]
        }
    }

    private static let iso = Data("urn:iso:std:iso:ts:21496:-1\0".utf8)
    private static let xmp = Data("http://ns.adobe.com/xap/1.0/\0".utf8)

    private static func indexed(_ base: Data, _ map: Data) -> Data {
        var index = Data("MPF\0MM\0*".utf8)
        func add(_ number: Int, _ bytes: Int = 4) {
            for shift in (0..<bytes).reversed() { index.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        add(8)
        add(1, 2)
        add(0xB002, 2)
        add(7, 2)
        add(32)
        add(26)
        add(0)
        // Both images: kind, size, offset behind the name of the index, and two numbers of others.
        for (size, offset) in [(base.count, 0), (map.count, base.count + 4 + 8 + 18 + 4 + 32 - 10)] {
            add(0)
            add(size)
            add(offset)
            add(0)
        }
        return base.adding(0xE2, index) + map
    }

    private static func named(_ base: Data, _ map: Data) -> Data {
        let directory = """
            <x xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/' \
            xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'><C:Item I:Semantic='Primary'/>\
            <C:Item I:Semantic='GainMap' I:Length='\(map.count)'/></x>
            """
        return base.adding(0xE1, xmp + Data(directory.utf8)) + map
    }
}

extension Data {
    /// Returns this JPEG with one more segment.
    fileprivate func adding(_ marker: UInt8, _ content: Data) -> Data {
        let count = content.count + 2
        return prefix(2) + [0xFF, marker, UInt8(count >> 8 & 255), UInt8(count & 255)] + content + dropFirst(2)
    }
}
