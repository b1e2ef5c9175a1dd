package import Foundation

/// A decoder of JPEG: baseline and progressive; gray, YCbCr, RGB, CMYK and YCCK; turned upright by EXIF orientation.
///
/// Downsamples while decoding to 1/2, 1/4 or 1/8, but not below `DecodeSize.least`, the size that the filter needs.
/// `decode` throws for truncated or corrupt files; only `decodePartial` returns incomplete images.
package struct JPEGDecoder: BriefDecoder {
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

    /// Returns the memory of the bitmap at the codec's scale, plus either the codec's memory or that of
    /// `DecodePostprocessing`, whichever is larger. The codec keeps all coefficients of a progressive image, otherwise
    /// a few rows.
    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let decoded = scale.size(of: header.stored)
        let codec = header.isProgressive ? Self.coefficientBytes(of: header) : 64 * header.width
        let finish = DecodePostprocessing.workingBytes(for: header, decoded: decoded, size: size)
        return decoded.bitmapBytes + max(codec, finish)
    }

    /// Returns the memory in bytes for the coefficients of all scans: two bytes per sample.
    static func coefficientBytes(of header: ImageHeader) -> Int {
        Int(2 * Double(header.width) * Double(header.height) * header.samplesPerPixel)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard let segments = JPEGSegments(ByteReader(bytes)) else { throw CodecError(.notAnImage, "not a JPEG") }
            let frame = try segments.supportedFrame()
            let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
            let decoded = scale.size(of: PixelSize(width: frame.width, height: frame.height))
            let bitmap = try Bitmap(decoded, hasAlpha: false) { (pixels, stride) throws(CodecError) in
                let remark = try TurboJPEG.decode(
                    bytes, into: pixels, size: decoded, stride: stride, isCMYK: frame.isCMYK)
                switch remark {
                case .none: break
                case .damage(let message): throw CodecError(.damaged, "JPEG is damaged: \(message)")
                // TurboJPEG reports only its first warning, so a harmless one may hide a missing end.
                case .harmless:
                    guard segments.hasEnd else { throw CodecError(.damaged, "JPEG is cut short: it has no end") }
                }
            }
            return try DecodePostprocessing(size: size, orientation: header.orientation, colors: segments.colors(frame))
                .apply(to: bitmap, extent: scale.extent(of: header.stored))
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
