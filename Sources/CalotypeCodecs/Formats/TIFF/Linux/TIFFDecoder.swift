#if TIFF
    package import Foundation

    /// A decoder of the first image of TIFF and BigTIFF files, in any coding that libtiff supports.
    package struct TIFFDecoder: ImageDecoder {
        package let mediaTypes = ["image/tiff"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                // libtiff would read the first preview of a raw file, or complain about the samples.
                guard ByteReader(bytes).isTIFF, CameraRaw(ByteReader(bytes)) == nil else { return nil }
                return try TIFFReader(bytes, largestBlock: 64 << 20).header()
            }
        }

        package func colors(of data: Data) -> String? {
            data.reading { try? TIFFReader($0, largestBlock: 64 << 20).profile()?.name }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            FormatMemory.tiff(header, size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let reader = try TIFFReader(bytes, largestBlock: FormatMemory.largestTIFFBlock(for: header))
                guard try reader.header() == header else { throw CodecError(.damaged, "not the TIFF of this header") }
                return try reader.image(header, scaledTo: size)
            }
        }
    }
#endif
