#if GdkPixbuf
    enum GdkPixbufKind: String {
        /// GdkPixbuf's names of the formats.
        case bmp, ico, tga, pnm

        /// Returns `nil` for other formats. TGA is last, because it has no signature.
        init?(_ file: ByteReader) {
            let signatures = [(file.isBMP, Self.bmp), (file.isICO, .ico), (file.isPNM, .pnm), (file.isTGA, .tga)]
            guard let kind = signatures.first(where: \.0)?.1 else { return nil }
            self = kind
        }

        var format: ImageFormat { ImageFormat(rawValue: rawValue) }

        /// - Throws: `damaged` if the header is invalid, `unsupported` for a TGA with `hasUncommonTGAColors`.
        func facts(_ file: ByteReader) throws(CodecError) -> GdkPixbufFacts {
            if self == .tga, file.hasUncommonTGAColors {
                throw CodecError(
                    .unsupported,
                    "TGA of 15 bits a pixel, or with a palette of 16 bits or one that begins late, is not supported")
            }
            let facts =
                switch self {
                case .bmp: GdkPixbufFacts(bmp: file)
                case .ico: GdkPixbufFacts(ico: file)
                case .tga: GdkPixbufFacts(tga: file)
                case .pnm: GdkPixbufFacts(pnm: file)
                }
            guard let facts else { throw CodecError(.damaged, "\(format) is damaged: its header makes no sense") }
            return facts
        }
    }

    extension ByteReader {
        /// `true` for 15 bits per pixel, and for palettes that GdkPixbuf decodes incorrectly: it swaps the channels of
        /// 16-bit palettes, and ignores the index of a palette's first color.
        fileprivate var hasUncommonTGAColors: Bool {
            let isMapped = uint8(at: 1) == 1
            return uint8(at: 16) == 15
                || isMapped && (uint16(at: 3, bigEndian: false) != 0 || ![24, 32].contains(uint8(at: 7)))
        }
    }
#endif
