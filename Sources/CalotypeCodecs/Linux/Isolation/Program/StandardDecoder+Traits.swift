/// The decoders of the formats of package traits: in this build, or in `calotype-decoder-formats`.
extension StandardDecoder {
    /// Those of this build, from the one that is tried last.
    static let traits: [StandardDecoder] = {
        var decoders: [StandardDecoder] = []
        #if TIFF
            decoders.append(tiff(by: TIFFDecoder()))
        #endif
        #if SVG
            decoders.append(svg(by: SVGDecoder()))
        #endif
        #if JPEGXL
            decoders.append(jpegXL(by: JPEGXLDecoder()))
        #endif
        #if HEIF
            decoders.append(heif(by: HEIFDecoder()))
        #endif
        return decoders
    }()

    /// Those of `calotype-decoder-formats`, which always has all four, in the order of ``traits``.
    static let separate: [StandardDecoder] = [
        tiff(by: SeparateDecoder(mediaTypes: ["image/tiff"], memory: FormatMemory.tiff)),
        svg(by: SeparateDecoder(mediaTypes: ["image/svg+xml"], memory: FormatMemory.svg)),
        jpegXL(by: SeparateJPEGXLDecoder()),
        // The version of libheif is that of the other program: counts what takes more.
        heif(
            by: SeparateDecoder(mediaTypes: ["image/heic", "image/heif"]) {
                HEIFMemory(decodesToPlanes: false).workingBytes(for: $0, scaledTo: $1)
            }),
    ]

    private static func tiff(by decoder: any ImageDecoder) -> StandardDecoder {
        StandardDecoder(number: 9, decoder: decoder, formats: [ImageFormat(rawValue: "tiff")], isRisky: true) {
            $0.isTIFF && CameraRaw($0) == nil
        }
    }

    private static func svg(by decoder: any ImageDecoder) -> StandardDecoder {
        StandardDecoder(
            number: 8, decoder: decoder, formats: [.svg], isRisky: true, startsThreads: true, deadline: .seconds(5),
            drawsVectors: true
        ) { $0.isSVG }
    }

    private static func jpegXL(by decoder: any ImageDecoder) -> StandardDecoder {
        StandardDecoder(number: 7, decoder: decoder, formats: [.jpegXL], isRisky: true) { $0.isJPEGXL }
    }

    private static func heif(by decoder: any ImageDecoder) -> StandardDecoder {
        StandardDecoder(number: 6, decoder: decoder, formats: [.heic], isRisky: true, startsThreads: true) { $0.isHEIF }
    }
}
