public import CalotypeCodecs
import Foundation

extension Decoding {
    /// Decodes an image with its gain map, and writes both. Whatever the map is, the base must be the same.
    public static func checkGainMap(_ bytes: UnsafePointer<UInt8>?, _ count: Int, by decoder: any ImageDecoder) {
        let data = input(bytes, count), registry = DecoderRegistry([decoder])
        guard let plain = try? registry.plan(for: data, target: MapLayout(side: nil), limits: limits).decode(),
            let plan = try? registry.plan(for: data, target: MapLayout(side: 1), limits: limits)
        else { return }
        guard let bitmap = try? plan.decode() else { return require(false, "a map makes its base fail") }
        require(bitmap.encodedAsPNG == plain.encodedAsPNG, "a map changes its base")
        guard let map = bitmap.gainMap else { return }
        require(
            map.byteCount <= plan.gainMapBytes && bitmap.heldBytes <= plan.cost,
            "the plan counts \(plan.gainMapBytes) bytes for a map of \(map.byteCount), and \(plan.cost) for all \(bitmap.heldBytes)"
        )
        guard let file = try? bitmap.encoded(as: .jpeg(quality: 50)) else {
            return require(false, "a map is not written")
        }
        let source = try? GainMap.source(in: file)
        require(source != nil, "a map that was written is not found")
    }

    private struct MapLayout: ImageLayout {
        let side: Int?

        var key: String { "map" }
        var gainMapSide: Int? { side }

        func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
            // A part of the image, at another size.
            let scaled = PixelSize(width: max(size.width * 2 / 3, 1), height: max(size.height / 2, 1))
            return ImagePlacement(
                scaled,
                window: PixelRect(
                    x: scaled.width / 3, y: 0, width: max(scaled.width / 2, 1), height: scaled.height))
        }
    }
}

extension Bitmap {
    fileprivate var encodedAsPNG: Data? { try? encoded(as: .png) }
}
