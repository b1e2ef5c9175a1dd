#if HEIF
    package import Foundation

    /// A decoder of the primary image of HEIC and other HEIF files, turned and cropped according to its boxes.
    ///
    /// A thumbnail that is large enough stands in for the image. Otherwise, the tiles of a grid are decoded one by one, and scaled as
    /// they come.
    package struct HEIFDecoder: ImageDecoder {
        package let mediaTypes = ["image/heic", "image/heif"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isHEIF else { return nil }
                let reader = try HEIFReader(bytes)
                var header = reader.header
                let band = HEIFItems(ByteReader(bytes)).flatMap { Self.grid(of: $0, header) }?
                    .bandBytes(header)
                let whole = Self.memory.decodingBytes(of: header.stored, header)
                if let band, band < whole { header.bandBytes = band + reader.copiedBytes }
                return header
            }
        }

        /// Returns the grid of the primary image if it has the size of the header, which is libheif's.
        private static func grid(of items: HEIFItems, _ header: ImageHeader) -> HEIFGrid? {
            guard !header.hasAlpha, let grid = HEIFGrid(items) else { return nil }
            return grid.size.turned(from: grid.orientation) == header.stored ? grid : nil
        }

        package func colors(of data: Data) -> String? {
            data.reading { try? HEIFReader($0).primary.colorName }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            Self.memory.workingBytes(for: header, scaledTo: size)
        }

        static let memory = HEIFMemory(decodesToPlanes: HEIFImage.decodesToPlanes)

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                // libheif decodes truncated images without an error.
                guard !FileEnd.isMissing(in: ByteReader(bytes)) else {
                    throw CodecError(.damaged, "HEIC is cut short: its end is missing")
                }
                let reader = try HEIFReader(bytes)
                let items = HEIFItems(ByteReader(bytes))
                let samples = reader.primary.samples(header, within: size.gamut)
                let memory = workingBytes(for: header, scaledTo: size)
                if samples?.areMapped != true, let items,
                    let small = try reader.thumbnail(for: header, scaledTo: size, items, within: memory)
                {
                    return small
                }
                if header.bandBytes != nil {
                    var bands = HEIFBands(try Self.grid(items, header), header, samples)
                    return try bands.upright(scaledTo: size, reader.primary.colors)
                }
                return try reader.decode(reader.primary, as: header, samples)
                    .bitmap(of: header, scaledTo: size, reader.primary.colors)
            }
        }

        /// Decodes the tiles of a grid that are intact.
        package func decodePartial(
            _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
        ) throws(CodecError) -> Bitmap? {
            guard header.bandBytes != nil else { return nil }
            return try data.reading { (bytes) throws(CodecError) in
                let reader = try HEIFReader(bytes)
                let samples = reader.primary.samples(header, within: size.gamut)
                let grid = try Self.grid(HEIFItems(ByteReader(bytes)), header)
                var bands = HEIFBands(grid, header, samples, acceptsLosses: true)
                let bitmap = try bands.upright(scaledTo: size, reader.primary.colors)
                return bands.decodedCount > 0 ? bitmap : nil
            }
        }

        /// Returns the grid of a file whose header has announced one.
        private static func grid(_ items: HEIFItems?, _ header: ImageHeader) throws(CodecError) -> HEIFGrid {
            guard let grid = items.flatMap({ grid(of: $0, header) }) else {
                throw CodecError(.damaged, "HEIC is damaged: the tiles of \(header.stored) pixels are missing")
            }
            return grid
        }
    }

    extension HEIFDecoder: GainMapDecoder {}
#endif
