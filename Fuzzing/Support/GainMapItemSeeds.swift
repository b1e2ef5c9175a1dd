import CalotypeCodecs
public import Foundation
import TestSupport

/// Small AVIF and HEIC with a gain map: by ISO 21496-1, as a grid, turned and cropped, and Apple's.
public enum GainMapItemSeeds {
    public static var all: [Data] {
        get throws {
            let bitmaps = try Decoding.bitmaps().suffix(1)
            let avif = try bitmaps.map { bitmap in
                GainMapItems.Image(
                    try bitmap.encoded(as: .avif(quality: 50)), width: bitmap.width, height: bitmap.height)
            }
            return (avif + [ImageSeeds.tileOfHEVC].compactMap(\.self)).flatMap(files)
        }
    }

    private static func files(of image: GainMapItems.Image) -> [Data] {
        let channel = GainMapNumbers.Channel(least: -0.5, most: 2, gamma: 1.5)
        let numbers = GainMapNumbers([channel], baseHeadroom: 0, alternateHeadroom: 2)
        let plain = GainMapItems(base: image, map: image, iso: numbers?.iso)
        var (grid, turned, apple) = (plain, plain, plain)
        grid.map.tiles = Array(repeating: image.tiles[0], count: 4)
        (grid.map.columns, grid.map.width, grid.map.height) = (2, 2 * image.width, 2 * image.height)
        let crop = GainMapItems.clap(width: image.width, height: image.height)
        turned.base.properties = [crop, GainMapItems.irot(1), GainMapItems.imir(0)]
        turned.map.properties = turned.base.properties
        (apple.isApples, apple.iso) = (true, nil)
        apple.xmp = Data(
            "<x xmlns:h='http://ns.apple.com/HDRGainMap/1.0/' h:HDRGainMapHeadroom='4'>GainMap</x>".utf8)
        return [plain, grid, turned, apple].map(\.data)
    }
}
