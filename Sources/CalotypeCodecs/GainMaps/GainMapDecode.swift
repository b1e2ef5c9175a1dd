import Foundation

/// A decoder of files that may have a gain map.
protocol GainMapDecoder: ImageDecoder {
    /// Finds the gain map of a file, whose image this decoder decodes. Reads headers only, in Swift.
    func gainMapSource(of data: Data) throws(GainMapFault) -> GainMapSource?
}

extension GainMapDecoder {
    func gainMapSource(of data: Data) throws(GainMapFault) -> GainMapSource? { try GainMap.source(in: data) }
}

/// The prepared decode of a gain map.
struct GainMapDecode: Sendable {
    /// The peak memory of the decode in bytes.
    let peakBytes: Int
    /// The memory of the map of a result in bytes, with that of its changed copy or its encoder.
    let heldBytes: Int

    private let source: GainMapSource
    private let size: DecodeSize
    private let plan: GainMapPlan
    /// The orientation of the base, which its map shares: that in which both are decoded.
    private let orientation: Int

    /// - Parameters:
    ///   - base: The header of the base.
    ///   - scaled: The size to which the base is scaled, upright.
    ///   - result: The largest size of the result.
    init(
        _ source: GainMapSource, of base: ImageHeader, scaledTo scaled: PixelSize, result: PixelSize,
        _ decoder: any ImageDecoder, _ limits: DecodeLimits
    ) throws(GainMapFault) {
        self.source = source
        let stored = try source.stored(base)
        orientation = stored.orientation
        let density = GainMapPlan.density(of: source.size, base: stored.part.whole)
        // The whole base at the scale of the result, of which a part may be seen.
        let (wanted, seen) = (scaled.turned(from: orientation), stored.part)
        // As the codec scales with a simple filter, the map has twice the samples that are wanted.
        func side(_ pixels: Int, _ rect: Int, _ whole: Int) -> Int {
            let part: Double = Double(whole) / Double(max(rect, 1))
            let samples: Double = 2 * Double(pixels) * part * density
            return max(Int(min(samples.rounded(.up), 0x1p20)), 1)
        }
        let least = PixelSize(
            width: min(side(wanted.width, seen.rect.width, seen.whole.width), source.size.width),
            height: min(side(wanted.height, seen.rect.height, seen.whole.height), source.size.height))
        let extent = source.extent(covering: least)
        let decoded = extent.size
        size = DecodeSize(result: decoded, least: decoded, filter: .automatic)
        let whole = GainMapPlan(extent, of: source.size, base: seen.whole)
        plan = seen.rect.size == seen.whole ? whole : whole.cropped(to: seen.rect, of: seen.whole)
        let work = decoder.workingBytes(for: source.header, scaledTo: size)
        // The file of the map, which is copied, and a turned copy, or one that is scaled.
        peakBytes = work + source.byteCount + decoded.bitmapMemory
        heldBytes = 3 * plan.largestSize(for: result).bitmapMemory
        do throws(CodecError) {
            try limits.check(source.header)
            try limits.check(decoded, cost: peakBytes, of: source.header)
        } catch { throw .size }
    }

    /// Decodes the map of the whole base, upright.
    ///
    /// - Parameter data: The file with base and map.
    /// - Returns: The map, or the reason why it is of no use.
    /// - Throws: An error that is not about the file: the caller has no more time, or cancelled.
    func map(
        in data: Data, by decoder: any ImageDecoder
    ) throws(CodecError) -> Result<GainMap, GainMapFault> {
        guard let file = source.file(in: data) else { return .failure(.place) }
        do throws(CodecError) {
            let bitmap = try decoder.decode(file, header: source.header, scaledTo: size)
            guard bitmap.size == size.result else { return .failure(.damage) }
            let samples = if let table = source.table { try bitmap.replacing(by: table) } else { bitmap }
            // Some cameras store a gray map in color.
            let isGray = !source.isGray && source.numbers.channels.count == 1 && samples.isGray
            let map = GainMap(
                samples, source.numbers, isGray: source.isGray || isGray, profile: source.profile, plan: plan)
            return .success(try (isGray ? map.applyingToBase() : map).turned(orientation))
        } catch {
            switch error.code {
            case .cancelled, .timedOut, .overloaded: throw error
            default: return .failure(.damage)
            }
        }
    }
}

extension GainMapSource {
    /// Returns how the base is stored: the part of it that is seen, and the orientation in which it is turned upright.
    fileprivate func stored(_ base: ImageHeader) throws(GainMapFault) -> (part: StoredPart, orientation: Int) {
        switch place {
        case .range:
            let rect = PixelRect(x: 0, y: 0, width: base.width, height: base.height)
            return (StoredPart(rect: rect, whole: base.stored), base.orientation)
        case .item(_, let part, let own):
            // libheif itself turns and crops.
            let orientation = base.format == .avif ? base.orientation : own
            guard part.rect.size.turned(from: orientation) == base.uprightSize else { throw .orientation }
            return (part, orientation)
        }
    }

    /// Returns the extent of the map within the samples that the decoder makes, which are as many as these or more.
    fileprivate func extent(covering least: PixelSize) -> ImageExtent {
        guard header.format == .jpeg else { return ImageExtent(least) }
        return JPEGScale.smallest(from: size, covering: least).extent(of: size)
    }

    /// Returns a file of the map alone, in the decoder's format; `nil` if it is no longer in the other file.
    fileprivate func file(in data: Data) -> Data? {
        data.reading { bytes in
            switch place {
            case .range(let range): return JPEGSegments.bare(ByteReader(bytes).slice(range))
            case .item(let item, _, _):
                guard let items = HEIFItems(ByteReader(bytes)) else { return nil }
                return ItemImage(item, of: items).map { Data($0.file()) }
            }
        }
    }
}

extension JPEGSegments {
    /// Returns a JPEG without all that is not pixels: the profile, by which a decoder would convert them, and metadata.
    static func bare(_ file: ByteReader) -> Data {
        var bare = Data([0xFF, 0xD8])
        var offset = 2
        while let marker = file.uint16(at: offset), marker > 0xFF00, let length = file.uint16(at: offset + 2) {
            // Behind the header of the first scan, the file goes on as it is.
            let end = marker == 0xFFDA ? file.count : offset + 2 + length
            let isApplication = (0xFFE0...0xFFEF).contains(marker) && marker != 0xFFEE || marker == 0xFFFE
            if !isApplication { bare.append(contentsOf: file.slice(offset..<max(end, offset)).copy()) }
            guard length >= 2, end < file.count else { break }
            offset = end
        }
        return bare
    }
}

extension Bitmap {
    /// Whether blue, green and red are the same in all pixels.
    fileprivate var isGray: Bool {
        withUnsafeBytes { bytes in
            (0..<height).allSatisfy { y in
                (0..<width).allSatisfy { x in
                    let pixel = bytes.loadUnaligned(fromByteOffset: y * stride + 4 * x, as: SIMD4<UInt8>.self)
                    return pixel.x == pixel.y && pixel.y == pixel.z
                }
            }
        }
    }

    /// Returns opaque pixels whose colors are replaced by those of a table.
    fileprivate func replacing(by table: [UInt8]) throws(CodecError) -> Bitmap {
        try redrawn { input, inputStride, output, outputStride in
            for y in 0..<height {
                for place in 0..<4 * width {
                    let value = input[y * inputStride + place]
                    output[y * outputStride + place] = place & 3 == 3 ? value : table[Int(value)]
                }
            }
        }
    }
}
