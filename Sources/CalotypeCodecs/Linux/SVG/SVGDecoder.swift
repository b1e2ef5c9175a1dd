#if SVG
    package import Foundation

    /// Decodes SVG at the requested size. librsvg loads no external resources, because the document has no base URL.
    package struct SVGDecoder: ImageDecoder {
        package let mediaTypes = ["image/svg+xml"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isSVG else { return nil }
                let document = try SVGDocument(bytes)
                var header = ImageHeader(
                    format: .svg, width: document.size.width, height: document.size.height, hasAlpha: true)
                header.isScalable = true
                return header
            }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            // Groups with opacity, masks and filters are drawn separately, several at a time.
            8 * size.result.bitmapBytes + 16 * SVGMarkup.byteLimit
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in
                let document = try SVGDocument(bytes)
                try document.checkTime(at: size.result)
                return try SVGPicture(bytes).draw(size.result)
            }
        }
    }
#endif
