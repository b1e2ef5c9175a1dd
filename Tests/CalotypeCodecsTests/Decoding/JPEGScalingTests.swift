import CTurboJPEG
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// Thumbnails of JPEGs, whose rows are filtered as they are decoded, beside the decode of a whole image at the codec's
/// scale that is scaled afterwards.
@Suite struct JPEGScalingTests {
    /// A random file, and the size of its result.
    private struct Case {
        let file: Data
        let header: ImageHeader
        let size: DecodeSize
        let name: String

        init(seed: Int) throws {
            var random = SplitMix(seed: UInt64(seed))
            let (width, height) = (Int.random(in: 1...160, using: &random), Int.random(in: 1...160, using: &random))
            let samplings = [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY]
            let sampling = samplings[seed % samplings.count]
            let isCMYK = seed.isMultiple(of: 7)
            let isProgressive = seed.isMultiple(of: 2)
            let plain =
                isCMYK
                ? try JPEGFiles.ycck(width, height, cyan: 200, magenta: 30, yellow: 90, black: 150)
                : try JPEGFiles.make(
                    Pictures.noise(width, height), sampling: sampling, quality: 80, progressive: isProgressive)
            let orientation = Int.random(in: 1...8, using: &random)
            file = plain.addingEXIF(orientation)
            header = try #require(try JPEGDecoder().header(of: file))
            let full = header.uprightSize
            let result = PixelSize(
                width: Int.random(in: 1...full.width, using: &random),
                height: Int.random(in: 1...full.height, using: &random))
            let filters: [ResizeFilter] = [.automatic, .box, .bilinear]
            size = DecodeSize(result, of: full, filter: filters[seed % filters.count])
            name =
                "\(width) × \(height) to \(result), orientation \(orientation), sampling \(sampling.rawValue), "
                + "progressive: \(isProgressive), CMYK: \(isCMYK)"
        }
    }

    @Test(arguments: 1...120)
    func `rows that are filtered as they arrive give the pixels of a whole image`(seed: Int) throws {
        let jpeg = try Case(seed: seed)
        let decoded = try JPEGDecoder().decode(jpeg.file, header: jpeg.header, scaledTo: jpeg.size)
        #expect(try decoded.rowBytes == Self.decodedWhole(jpeg).rowBytes, "\(jpeg.name)")
    }

    @Test(arguments: 1...30)
    func `a crop has the pixels of a whole image`(seed: Int) throws {
        let jpeg = try Case(seed: seed)
        let full = jpeg.header.uprightSize
        let target = ResizeTarget(width: (full.width + 2) / 3, height: (full.height + 1) / 2, mode: .fill)
        let plan = try DecoderRegistry.standard.plan(for: jpeg.file, target: target)
        let decoded = try JPEGDecoder().decode(jpeg.file, header: jpeg.header, scaledTo: plan.decodeSize)
        #expect(try plan.decode().rowBytes == plan.fit(decoded).rowBytes, "\(jpeg.name)")
    }

    @Test(arguments: 1...30)
    func `a file cut short is damaged, and its part has the pixels of a whole image`(seed: Int) throws {
        let jpeg = try Case(seed: seed)
        let part = jpeg.file.prefix(jpeg.file.count - jpeg.file.count / 5 - 12)
        guard let header = try? JPEGDecoder().header(of: part) else { return }
        let error = #expect(throws: CodecError.self, "\(jpeg.name)") {
            try JPEGDecoder().decode(part, header: header, scaledTo: jpeg.size)
        }
        #expect(error?.code == .damaged)
        // At two thirds of its size, the codec decodes the whole image, too: only the filter differs.
        var stored = header
        stored.orientation = 1
        let (full, filter) = (stored.uprightSize, ResizeFilter.lanczos3)
        let result = PixelSize(width: (2 * full.width + 2) / 3, height: (2 * full.height + 2) / 3)
        // Some files are cut before their first scan.
        let image = try? JPEGDecoder().decodePartial(part, header: stored, scaledTo: DecodeSize(full, of: full))
        guard let image, result != full else { return }
        let scaling = ImageScaling(from: ImageExtent(full), to: result, filter: filter)
        let scaled = try JPEGDecoder().decodePartial(
            part, header: stored, scaledTo: DecodeSize(result, of: full, filter: filter))
        let expected = PlainScaler(scaling: scaling, hasAlpha: true).scaled(image.rowBytes)
        #expect(scaled?.rowBytes == expected, "\(jpeg.name)")
    }

    /// Decodes the whole image at the codec's scale, and scales it number by number.
    private static func decodedWhole(_ jpeg: Case) throws -> Bitmap {
        let (header, size) = (jpeg.header, jpeg.size)
        let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let (decoded, result) = (scale.size(of: header.stored), header.stored(size.result))
        let segments = try #require(jpeg.file.reading { JPEGSegments(ByteReader($0)) })
        let frame = try segments.supportedFrame()
        let whole = try jpeg.file.reading { (bytes) throws(CodecError) in
            try Bitmap(decoded, hasAlpha: false) { (pixels, stride) throws(CodecError) in
                var rows = try JPEGRows(bytes, size: decoded, scale: scale, isCMYK: frame.isCMYK)
                try rows.readAll(into: pixels, stride: stride)
            }
        }
        var scaled = whole
        if decoded != result {
            let scaling = ImageScaling(from: scale.extent(of: header.stored), to: result, filter: size.filter)
            scaled = try Bitmap(
                rows: PlainScaler(scaling: scaling, hasAlpha: false).scaled(whole.rowBytes), hasAlpha: false)
        }
        return try DecodePostprocessing(size: size, orientation: header.orientation, colors: segments.colors(frame))
            .apply(to: scaled)
    }
}
