#if JPEGXL
    package import Foundation

    /// A decoder of JPEG XL: stills and the first frame of animations, turned upright.
    package struct JPEGXLDecoder: ImageDecoder {
        package let mediaTypes = ["image/jxl"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isJPEGXL else { return nil }
                return try JPEGXLReader(bytes).header()
            }
        }

        /// Returns an estimate from measurements, because libjxl 0.7 allocates most memory outside its memory manager.
        /// It keeps all channels as 32-bit numbers, several times for frames coded in parts or based on other frames.
        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            let planes = header.samplesPerPixel * Double(header.stored.bitmapBytes)
            let codec = planes < 1e17 ? 3 * Int(planes) : 1 << 60
            return codec + header.stored.bitmapBytes + DecodePostprocessing.workingBytes(for: header, size: size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let (bitmap, colors) = try JPEGXLReader(bytes).decodeFirstFrame(header)
                return try DecodePostprocessing(size: size, colors: colors).apply(to: bitmap)
            }
        }
    }
#endif
