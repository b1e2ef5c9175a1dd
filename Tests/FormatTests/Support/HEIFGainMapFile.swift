#if HEIF && JPEGXL && SVG && TIFF
    import CalotypeCodecs
    import Foundation
    import TestSupport

    /// A HEIC of a gray image with a gain map of two stops.
    enum HEIFGainMapFile {
        /// How the file states its map.
        enum Form: CaseIterable, Sendable { case iso, apple, both }

        static func light(_ width: Int, _ height: Int) throws -> GainMapItems.Image {
            let bitmap = try Drawings.drawn(width, height) { x, y in
                let value = UInt8(60 + 90 * x / width + 90 * y / height)
                return (value, value, value, 255)
            }
            return GainMapItems.Image(try HEIFFile.encodedGray(bitmap), width: width, height: height)
        }

        private static let images = Result { try (base: light(192, 128), map: light(96, 64)) }

        static func make(_ form: Form) throws -> GainMapItems {
            let images = try images.get()
            let numbers: [(UInt8, UInt8)] = [(0, 1), (2, 1), (0, 1), (2, 1), (1, 1), (1, 64), (1, 64)]
            let iso = Data([0, 0, 0, 0, 0x40] + numbers.flatMap { [0, 0, 0, $0.0, 0, 0, 0, $0.1] })
            var file = GainMapItems(base: images.base, map: images.map, iso: form == .apple ? nil : iso)
            file.isApples = form != .iso
            file.xmp = Data(
                "<x xmlns:h='http://ns.apple.com/HDRGainMap/1.0/' h:HDRGainMapHeadroom='4'>GainMap</x>".utf8)
            return file
        }

        /// A map that is too large for libheif.
        static func makeTooLarge(_ form: Form) throws -> GainMapItems {
            var file = try make(form)
            file.map.tileSize = (70_000, 70_000)
            return file
        }
    }

    /// A layout that keeps maps.
    struct MapLayout: ImageLayout {
        var target: ResizeTarget?

        let key = "map"
        let gainMapSide: Int? = 1

        func placement(of size: PixelSize, isScalable: Bool) -> ImagePlacement {
            target?.placement(of: size, isScalable: isScalable) ?? ImagePlacement(size)
        }
    }

    extension Bitmap {
        /// The size and all pixels.
        var content: [UInt8] { withUnsafeBytes { Array("\(self)".utf8) + Array($0) } }
    }

    extension Data {
        /// Decodes the image with its gain map.
        func decodedKeepingMap(_ target: ResizeTarget? = nil) throws -> Bitmap {
            try DecoderRegistry.standard.plan(for: self, target: MapLayout(target: target)).decode()
        }
    }
#endif
