#if JPEGXL
    package import Foundation

    /// A decoder of JPEG XL: stills and animations, turned upright.
    package struct JPEGXLDecoder: AnimationDecoder {
        package let mediaTypes = ["image/jxl"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isJPEGXL else { return nil }
                return try JPEGXLReader(bytes).header()
            }
        }

        package func colors(of data: Data) -> String? {
            data.reading { bytes in ByteReader(bytes).isJPEGXL ? try? JPEGXLReader(bytes).colorName() : nil }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            FormatMemory.jpegXL(header, size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let reader = try JPEGXLReader(bytes)
                let colors = try reader.start(header, within: size.gamut)
                guard header.bitsPerSample > 8, let samples = DeepSamples(bits: 16, colors, within: size.gamut) else {
                    return try DecodePostprocessing(size: size, colors: colors).apply(to: reader.frame(header))
                }
                return try DecodePostprocessing(size: size)
                    .bitmap(of: reader.deepFrame(header), samples, hasAlpha: header.hasAlpha)
            }
        }

        package func openFrames(
            of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
        ) throws(CodecError) -> sending (any FrameDecoder)? {
            guard header.isAnimated else { return nil }
            return try JPEGXLFrames(data, header: header, limits: limits, gamut: gamut)
        }
    }
#endif
