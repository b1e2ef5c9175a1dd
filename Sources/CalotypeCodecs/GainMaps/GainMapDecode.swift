import Foundation

/// A decoder of files that may have a gain map.
protocol GainMapDecoder: ImageDecoder {
    /// Finds the gain map of a file, whose image is a JPEG that this decoder decodes.
    func gainMapSource(of data: Data) throws(GainMapFault) -> GainMapSource?
}

/// The prepared decode of a gain map.
struct GainMapDecode: Sendable {
    /// The peak memory of the decode in bytes.
    let peakBytes: Int
    /// The memory of the map of a result in bytes, with that of its changed copy or its encoder.
    let heldBytes: Int

    private let source: GainMapSource
    private let header: ImageHeader
    private let size: DecodeSize
    private let plan: GainMapPlan
    /// The orientation of the base, which its map shares.
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
        orientation = base.orientation
        header = ImageHeader(
            format: .jpeg, width: source.size.width, height: source.size.height,
            isProgressive: source.isProgressive, samplesPerPixel: source.samplesPerPixel)
        let density = GainMapPlan.density(of: source.size, base: base.stored)
        let wanted = base.stored(scaled)
        // As the codec scales with a simple filter, the map has twice the samples that are wanted.
        func side(_ pixels: Int) -> Int { min(Int((2 * Double(pixels) * density).rounded(.up)), 1 << 20) }
        let least = PixelSize(
            width: min(side(wanted.width), source.size.width), height: min(side(wanted.height), source.size.height))
        let scale = JPEGScale.smallest(from: source.size, covering: least)
        let decoded = scale.size(of: source.size)
        size = DecodeSize(result: decoded, least: decoded, filter: .automatic)
        plan = GainMapPlan(scale.extent(of: source.size), of: source.size, base: base.stored)
        let work = decoder.workingBytes(for: header, scaledTo: size)
        // The file of the map, which is copied, and a turned copy, or one that is scaled.
        peakBytes = work + source.range.count + decoded.bitmapMemory
        heldBytes = 3 * plan.size(for: result).bitmapMemory
        do throws(CodecError) {
            try limits.check(header)
            try limits.check(decoded, cost: peakBytes, of: header)
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
        let file = data.reading { JPEGSegments.bare(ByteReader($0).slice(source.range)) }
        do throws(CodecError) {
            let bitmap = try decoder.decode(file, header: header, scaledTo: size)
            guard bitmap.size == size.result else { return .failure(.damage) }
            let samples = if let table = source.table { try bitmap.replacing(by: table) } else { bitmap }
            let map = GainMap(
                samples, source.numbers, isGray: source.isGray, profile: source.profile, plan: plan)
            return .success(try map.turned(orientation))
        } catch {
            switch error.code {
            case .cancelled, .timedOut, .overloaded: throw error
            default: return .failure(.damage)
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
