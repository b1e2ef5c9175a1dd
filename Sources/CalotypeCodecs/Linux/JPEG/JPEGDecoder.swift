package import Foundation

/// JPEG: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK; upright by its EXIF orientation.
///
/// Shrinks while it decodes, to a half, a quarter or an eighth, as long as twice the result is left for the filter. A
/// file that is cut short, or in which data is corrupt, is an error: half an image is never returned.
package struct JPEGDecoder: ImageDecoder {
    package let mediaTypes = ["image/jpeg"]

    package init() {}

    package func header(of data: Data) throws(CodecError) -> ImageHeader? {
        try data.reading { (bytes) throws(CodecError) in
            guard let segments = JPEGSegments(ByteReader(bytes)) else { return nil }
            let frame = try segments.supportedFrame()
            var header = ImageHeader(
                format: .jpeg, width: frame.width, height: frame.height, orientation: segments.orientation,
                isProgressive: frame.isProgressive || segments.firstScanComponents < frame.sampling.count,
                samplesPerPixel: frame.samplesPerPixel)
            header.codec = [0xC0: "baseline", 0xC1: "extended", 0xC2: "progressive"][frame.process] ?? "arithmetic"
            return header
        }
    }

    package func colors(of data: Data) -> String? {
        data.reading { JPEGSegments(ByteReader($0))?.profile()?.name }
    }

    /// Two bytes for each sample where the codec has to hold all scans, some rows otherwise; then the bitmap at the
    /// codec's scale and whatever its finish takes.
    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let decoded = scale.size(of: header.stored)
        let samples = Double(header.width) * Double(header.height) * header.samplesPerPixel
        let codec = header.isProgressive ? Int(2 * samples) : 64 * header.width
        let finish = Finish.workingBytes(for: header, decoded: decoded, size: size)
        return decoded.bitmapBytes + max(codec, finish)
    }

    package func decode(
        _ data: Data, header: ImageHeader, scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard let segments = JPEGSegments(ByteReader(bytes)) else {
                throw CodecError(.notAnImage, "not a JPEG")
            }
            let frame = try segments.supportedFrame()
            let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
            let bitmap = try read(bytes, frame, segments, scale)
            return try Finish(size: size, orientation: header.orientation, colors: segments.colors(frame))
                .apply(to: bitmap, extent: scale.extent(of: header.stored))
        }
    }

    /// Decodes as stored, not turned.
    private func read(
        _ bytes: UnsafeRawBufferPointer, _ frame: JPEGSegments.Frame, _ segments: JPEGSegments, _ scale: JPEGScale
    ) throws(CodecError) -> Bitmap {
        let size = scale.size(of: PixelSize(width: frame.width, height: frame.height))
        let decompressor = try TurboDecompressor()
        return try Bitmap(width: size.width, height: size.height, hasAlpha: false) {
            (pixels, stride) throws(CodecError) in
            let remark = try decompressor.decode(
                bytes, into: pixels, size: size, stride: stride, isCMYK: frame.isCMYK)
            switch remark {
            case .none: break
            case .damage(let message): throw CodecError(.damaged, "JPEG is damaged: \(message)")
            // TurboJPEG keeps its first remark only, so a harmless one may hide that the end is missing.
            case .harmless:
                guard segments.hasEnd else { throw CodecError(.damaged, "JPEG is cut short: it has no end") }
            }
        }
    }
}

extension JPEGSegments {
    func colors(_ frame: Frame) -> ColorConversion? {
        frame.isCMYK
            ? .cmyk(profile(), inverted: hasAdobeMarker) : .rgb(profile(), isGray: frame.sampling.count == 1)
    }

    func supportedFrame() throws(CodecError) -> Frame {
        guard let frame else { throw CodecError(.damaged, "JPEG is cut short: no frame header in it") }
        guard frame.isSupported else {
            throw CodecError(
                .unsupported,
                "JPEG of process SOF\(frame.process - 0xC0) with \(frame.sampling.count) components of "
                    + "\(frame.precision) bits is not supported")
        }
        return frame
    }
}
