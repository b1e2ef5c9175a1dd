package import Foundation

/// A decoder of AVIF: stills, grids and sequences, with 8 to 12 bits per sample.
package struct AVIFDecoder: AnimationDecoder {
    package let mediaTypes = ["image/avif"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard ByteReader(bytes).hasBrand(["avif", "avis"]) else { return nil }
            let reader = try AVIFReader(bytes)
            let area = reader.area
            var header = ImageHeader(
                format: .avif, width: area.width, height: area.height, orientation: reader.orientation,
                hasAlpha: reader.hasAlpha, frameCount: reader.frameCount,
                samplesPerPixel: reader.samplesPerPixel + (reader.hasAlpha ? 1 : 0),
                bitsPerSample: reader.bitsPerSample, duration: reader.duration)
            header.codec = "AV1"
            return header
        }
    }

    package func colors(of data: Data) -> String? {
        data.reading { try? AVIFReader($0).colorName }
    }

    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        // `coded` is twice the size of the planes: dav1d's frame and working memory, or a grid's canvas and cells.
        let planes =
            Double(header.bitsPerSample > 8 ? 2 : 1) * header.samplesPerPixel * Double(header.stored.bitmapBytes)
        let coded = planes < 1e18 ? Int(planes / 2) : 1 << 59
        guard header.bitsPerSample > 8 else {
            return coded + header.stored.bitmapBytes + DecodePostprocessing.workingBytes(for: header, size: size)
        }
        let band = AVIFDeepRows.workingBytes(width: header.width)
        return coded + band + DecodePostprocessing.deepBytes(for: header, size: size)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            let reader = try AVIFReader(bytes)
            let area = reader.area
            guard area.size == header.stored else {
                throw CodecError(.damaged, "AVIF of \(area.size) pixels, its header said \(header.stored)")
            }
            try reader.decode()
            let finish = DecodePostprocessing(size: size, orientation: header.orientation, colors: reader.colors)
            if let samples = DeepSamples(bits: reader.bitsPerSample, finish.colors, within: size.gamut) {
                var rows = try AVIFDeepRows(area, for: header.stored(size.result))
                return try finish.bitmap(
                    rowsOf: area.size, samples, hasAlpha: header.hasAlpha
                ) { (row) throws(CodecError) in
                    try rows.read(reader, into: row)
                }
            }
            let bitmap = try Bitmap(area.size, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
                try reader.read(area, into: pixels, stride: stride)
            }
            return try finish.apply(to: bitmap)
        }
    }

    package func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        guard header.isAnimated else { return nil }
        return try AVIFFrames(data, header: header, limits: limits, gamut: gamut)
    }
}

extension AVIFDecoder: GainMapDecoder {}
