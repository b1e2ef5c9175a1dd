import CalotypeTesting
import Foundation

@testable import CalotypeCodecs

/// Photographs with a gain map of a quarter of their sides, as the library writes them.
enum SampleGainMap {
    static func jpeg(width: Int, height: Int) throws(CodecError) -> Data {
        let samples = SamplePhotos.bitmap(width: width / 4, height: height / 4)
        guard
            let numbers = GainMapNumbers(
                [GainMapNumbers.Channel(least: 0, most: 2)], baseHeadroom: 0, alternateHeadroom: 2)
        else { throw CodecError(.damaged, "the numbers are wrong") }
        let gray = try samples.applying(.grayscale)
        let plan = GainMapPlan(
            ImageExtent(gray.size), of: gray.size, base: PixelSize(width: width, height: height))
        let map = GainMap(gray, numbers, isGray: true, profile: nil, plan: plan)
        let base = SamplePhotos.bitmap(width: width, height: height)
        return try base.declaring(gainMap: map).encoded(as: .jpeg(quality: 90))
    }

    /// Returns a file whose map has numbers that no display can follow.
    static func wrong(width: Int, height: Int) throws(CodecError) -> Data {
        var file = try jpeg(width: width, height: height)
        let name = Data("urn:iso:std:iso:ts:21496:-1\0".utf8)
        // Behind the versions, the flags and the base's headroom: that of the map.
        if let last = file.range(of: name, options: .backwards) {
            file.replaceSubrange(last.upperBound + 13..<last.upperBound + 17, with: [0x7F, 0xFF, 0xFF, 0xFF])
        }
        return file
    }
}
