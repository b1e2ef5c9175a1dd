enum RowFileKind: String, CaseIterable {
    case bmp, ico, tga, pnm

    /// Returns `nil` for other formats. TGA is last, because it has no signature.
    init?(_ file: ByteReader) {
        let signatures = [(file.isBMP, Self.bmp), (file.isICO, .ico), (file.isPNM, .pnm), (file.isTGA, .tga)]
        guard let kind = signatures.first(where: \.0)?.1 else { return nil }
        self = kind
    }

    var format: ImageFormat { ImageFormat(rawValue: rawValue) }

    /// Reads the file's header.
    ///
    /// - Throws: `damaged` if its numbers are invalid, `unsupported` for a variant that is not read.
    func open(_ file: ByteReader) throws(CodecError) -> any RowFile {
        switch self {
        case .bmp: try BMPFile(file)
        case .ico: try ICOFile(file)
        case .tga: try TGAFile(file)
        case .pnm: try PNMFile(file)
        }
    }
}
