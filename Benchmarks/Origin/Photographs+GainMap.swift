import CalotypeCodecs
import CalotypeTesting
import Foundation

extension Photographs {
    /// The large photograph with a gain map of a quarter of its sides, as phones of Android store it.
    static let largeWithGainMap = withGainMap(large, SamplePhotos.jpeg(width: 1000, height: 750, seed: 2))

    /// - Parameter map: A JPEG whose channels gain up to two stops.
    private static func withGainMap(_ base: Data, _ map: Data) -> Data {
        let channel = GainMapNumbers.Channel(least: 0, most: 2)
        let numbers = GainMapNumbers([channel], baseHeadroom: 0, alternateHeadroom: 2)
        let image = map.describing(numbers?.xmp ?? "")
        let directory = """
            <x xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/' \
            xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'><C:Item I:Semantic='Primary'/>\
            <C:Item I:Semantic='GainMap' I:Length='\(image.count)'/></x>
            """
        return base.describing(directory) + image
    }
}

extension Data {
    /// Returns this JPEG with a packet of XMP.
    fileprivate func describing(_ xmp: String) -> Data {
        let content = Data("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)
        let count = content.count + 2
        return prefix(2) + [0xFF, 0xE1, UInt8(count >> 8 & 255), UInt8(count & 255)] + content + dropFirst(2)
    }
}
