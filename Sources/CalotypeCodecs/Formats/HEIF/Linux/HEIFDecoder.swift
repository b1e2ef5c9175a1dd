#if HEIF
    package import Foundation

    /// A decoder of the primary image of HEIC and other HEIF files, turned and cropped according to its boxes.
    package struct HEIFDecoder: ImageDecoder {
        package let mediaTypes = ["image/heic", "image/heif"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isHEIF else { return nil }
                return try HEIFReader(bytes).header
            }
        }

        package func colors(of data: Data) -> String? {
            data.reading { try? HEIFReader($0).colorName }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            // Counts the codec's planes, libheif's copy of them (of a tile or the whole image), and libheif's RGBA pixels,
            // whose rows are scaled.
            let deep = header.bitsPerSample > 8 ? 2 : 1
            let whole = size.result == header.uprightSize ? header.stored.bitmapBytes : 0
            return (2 * deep + 1) * header.stored.bitmapBytes + whole
                + DecodePostprocessing.workingBytes(for: header, size: size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                // libheif decodes truncated images without an error.
                guard !FileEnd.isMissing(in: ByteReader(bytes)) else {
                    throw CodecError(.damaged, "HEIC is cut short: its end is missing")
                }
                let reader = try HEIFReader(bytes)
                let mapping = reader.toneMapping(header)
                let bitmap = try reader.decode(header, scaledTo: size, mapping)
                let colors = mapping == nil ? reader.colors : nil
                return try DecodePostprocessing(size: size, colors: colors).apply(to: bitmap)
            }
        }
    }
#endif
