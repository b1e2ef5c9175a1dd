#if LongTail
    /// A format that GdkPixbuf reads for us.
    enum LongTailKind: String {
        /// As GdkPixbuf calls them.
        case bmp, ico, tiff, tga, pnm

        /// Returns `nil` for bytes of other formats. TGA comes last, since it is told by what is likely.
        init?(_ file: ByteReader) {
            if file.isBMP {
                self = .bmp
            } else if file.isICO {
                self = .ico
            } else if file.isTIFF {
                self = .tiff
            } else if file.isPNM {
                self = .pnm
            } else if file.isTGA {
                self = .tga
            } else {
                return nil
            }
        }

        var format: ImageFormat { ImageFormat(rawValue: rawValue) }

        /// Returns `nil` if the header makes no sense.
        func facts(_ file: ByteReader) -> LongTailFacts? {
            switch self {
            case .bmp: LongTailFacts(bmp: file)
            case .ico: LongTailFacts(ico: file)
            case .tiff: LongTailFacts(tiff: file)
            case .tga: LongTailFacts(tga: file)
            case .pnm: LongTailFacts(pnm: file)
            }
        }
    }
#endif
