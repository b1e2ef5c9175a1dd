import CWebP
package import Foundation

/// A decoder of WebP: lossy, lossless, with alpha, and animated.
///
/// Halves the image repeatedly while decoding it, but not below `DecodeSize.least`, the minimum for the scaling filter.
package struct WebPDecoder: AnimationDecoder, BriefDecoder {
    package let mediaTypes = ["image/webp"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            let reader = ByteReader(bytes)
            guard reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) else { return nil }
            let features = try WebPBitstream(bytes: bytes).features()
            var header = ImageHeader(
                format: .webp, width: features.size.width, height: features.size.height,
                hasAlpha: features.hasAlpha || features.isAnimated)
            header.orientation = WebPContainer(bytes)?.orientation ?? 1
            if !features.isAnimated { header.codec = features.isLossy ? "VP8" : "VP8L" }
            if features.isAnimated {
                let frames = WebPFrameIndex(reader)
                header.frameCount = max(1, frames.frames.count)
                if header.isAnimated { header.duration = frames.duration }
            }
            return header
        }
    }

    package func colors(of data: Data) -> String? {
        data.reading { WebPContainer($0, mayBeTruncated: true)?.profile?.name }
    }

    /// Returns the memory of the bitmap, of scaling, and of a lossless image, which the codec keeps as a whole with
    /// four bytes per pixel. The first frame of an animation may need the whole canvas.
    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let decoded = header.isAnimated ? header.stored : Self.codecSize(of: header, size)
        return header.stored.bitmapBytes + decoded.bitmapBytes
            + DecodePostprocessing.workingBytes(for: header, decoded: decoded, size: size)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            let container = WebPContainer(bytes)
            let picture = WebPBitstream(bytes: bytes)
            let wanted = Self.codecSize(of: header, size)
            let (bitmap, extent) =
                try picture.features().isAnimated
                ? firstFrame(of: container, header, scaledTo: wanted) : still(picture, header, size: wanted)
            let colors = ColorConversion.rgb(container?.profile, isGray: false)
            return try DecodePostprocessing(size: size, orientation: header.orientation, colors: colors)
                .apply(to: bitmap, extent: extent)
        }
    }

    package func openFrames(
        of data: Data, header: ImageHeader, limits: DecodeLimits, gamut: ColorGamut
    ) throws(CodecError) -> sending (any FrameDecoder)? {
        guard header.isAnimated else { return nil }
        return try WebPFrames(data, header: header, limits: limits, gamut: gamut)
    }

    private typealias Decoded = (bitmap: Bitmap, extent: ImageExtent)

    /// Returns the stored size, halved as long as the image remains large enough for the filter. At these scales
    /// libwebp averages whole pixels, almost without blurring.
    static func codecSize(of header: ImageHeader, _ size: DecodeSize) -> PixelSize {
        let least = header.stored(size.least)
        var decoded = header.stored
        while decoded.width / 2 >= least.width, decoded.height / 2 >= least.height {
            decoded = PixelSize(width: (decoded.width + 1) / 2, height: (decoded.height + 1) / 2)
        }
        return decoded
    }

    private func still(
        _ bitstream: WebPBitstream, _ header: ImageHeader, size: PixelSize
    ) throws(CodecError) -> Decoded {
        let isScaled = size != header.stored
        let isLossy = try bitstream.features().isLossy
        if isScaled, isLossy, !header.hasAlpha { return try halved(bitstream, size: size) }
        let bitmap = try Bitmap(size, hasAlpha: header.hasAlpha) { (pixels, stride) throws(CodecError) in
            try bitstream.decode(into: pixels, size: size, stride: stride, isScaled: isScaled)
        }
        // Of lossless images, the header has only a hint (RFC 9649, 3.4).
        let isClear = !header.hasAlpha && !isLossy && bitmap.hasClearPixels
        return (isClear ? bitmap.declaring(hasAlpha: true) : bitmap, ImageExtent(size))
    }

    private func halved(_ bitstream: WebPBitstream, size: PixelSize) throws(CodecError) -> Decoded {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw WebPBitstream.wrongVersion }
        defer { WebPFreeDecBuffer(&config.output) }
        config.output.colorspace = MODE_YUV
        // Skip the deblocking filter, as libwebp does when it scales: block edges are not visible at half size.
        config.options.bypass_filtering = 1
        let start = bitstream.bytes.bindMemory(to: UInt8.self).baseAddress
        try WebPBitstream.check(WebPDecode(start, bitstream.bytes.count, &config))
        guard var planes = WebPPlanes(config.output) else {
            throw CodecError(.damaged, "WebP is damaged: its data makes no image")
        }
        let bitmap = try Bitmap(size, hasAlpha: false) { (pixels, stride) throws(CodecError) in
            try planes.writeHalved(into: pixels, size: size, stride: stride)
        }
        return (bitmap, planes.halvedExtent)
    }

    /// Decodes the first frame: like a still image if it has the canvas's size, otherwise onto a transparent canvas.
    private func firstFrame(
        of container: borrowing WebPContainer?, _ header: ImageHeader, scaledTo size: PixelSize
    ) throws(CodecError) -> Decoded {
        let decoded = try container?.withFirstFrame { (frame) throws(CodecError) -> Decoded in
            let bitstream = WebPBitstream(bytes: frame.bytes)
            if frame.size == header.stored {
                var frameHeader = header
                frameHeader.hasAlpha = frame.hasAlpha
                return try still(bitstream, frameHeader, size: size)
            }
            let bitmap = try frame.onCanvas(header.stored) { (pixels, stride) throws(CodecError) in
                try bitstream.decode(into: pixels, size: frame.size, stride: stride, isScaled: false)
            }
            guard let bitmap else {
                throw CodecError(.damaged, "WebP is damaged: its first frame is larger than the canvas")
            }
            return (bitmap, ImageExtent(header.stored))
        }
        guard let decoded else {
            throw CodecError(.damaged, "WebP is damaged: an animation without a whole first frame")
        }
        return decoded
    }
}

extension Bitmap {
    /// Whether a pixel is not opaque.
    fileprivate var hasClearPixels: Bool {
        withUnsafeBytes { bytes in
            (0..<height).contains { y in
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(4 * width))
                return row.assumingMemoryBound(to: UInt32.self).reduce(UInt32.max) { $0 & $1 } >> 24 != 255
            }
        }
    }
}

extension WebPContainer.Frame {
    /// Returns a transparent canvas on which `draw` writes the frame, or `nil` if the frame exceeds the canvas.
    ///
    /// - Parameter draw: Receives the memory from the frame's first pixel on, and the stride of the canvas.
    func onCanvas(
        _ canvas: PixelSize, draw: (UnsafeMutableRawBufferPointer, _ stride: Int) throws(CodecError) -> Void
    ) throws(CodecError) -> Bitmap? {
        guard x + size.width <= canvas.width, y + size.height <= canvas.height else { return nil }
        return try Bitmap(canvas, hasAlpha: true) { (pixels, stride) throws(CodecError) in
            pixels.initializeMemory(as: UInt8.self, repeating: 0)
            try draw(UnsafeMutableRawBufferPointer(rebasing: pixels[(y * stride + 4 * x)...]), stride)
        }
    }
}
