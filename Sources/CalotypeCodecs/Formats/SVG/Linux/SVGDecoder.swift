#if SVG
    package import Foundation

    /// Decodes SVG at the requested size. librsvg loads no external resources, because the document has no base URL.
    ///
    /// A small file may take hours or all memory to draw, and librsvg cannot be interrupted. By default, the decoder
    /// therefore runs in a worker process, whose time and memory are limited.
    package struct SVGDecoder: ImageDecoder {
        package let mediaTypes = ["image/svg+xml"]

        package init() {}

        package func header(of data: Data) throws(CodecError) -> ImageHeader? {
            try data.reading { (bytes) throws(CodecError) in
                guard ByteReader(bytes).isSVG else { return nil }
                let size = try SVGPicture(bytes).size
                var header = ImageHeader(format: .svg, width: size.width, height: size.height, hasAlpha: true)
                header.isScalable = true
                return header
            }
        }

        package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
            FormatMemory.svg(header, size)
        }

        package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
            try data.reading { (bytes) throws(CodecError) in try SVGPicture(bytes).draw(size.result) }
        }
    }
#endif
