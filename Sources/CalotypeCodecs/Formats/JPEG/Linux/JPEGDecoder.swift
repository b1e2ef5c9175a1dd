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

    /// Returns the memory of the result plus either that of the codec and the filter, which have a few rows at a time, or
    /// that of a turned copy, whichever is larger.
    package func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int {
        let scale = JPEGScale.smallest(from: header.stored, covering: header.stored(size.least))
        let (decoded, stored) = (scale.size(of: header.stored), header.stored(size.result))
        let turning = header.orientation == 1 ? 0 : stored.bitmapBytes
        return stored.bitmapBytes
            + max(Self.rowBytes(from: decoded, to: stored, size.filter) + Self.codecBytes(of: header), turning)
    }

    /// Returns the memory of the filter and its input in bytes: 0 if the rows need no scaling.
    static func rowBytes(from decoded: PixelSize, to result: PixelSize, _ filter: ResizeFilter) -> Int {
        guard decoded != result else { return 0 }
        let scaling = ImageScaling(from: ImageExtent(decoded), to: result, filter: filter)
        return 4 * decoded.width * JPEGRows.atOnce + scaling.workingBytes
    }

    /// Returns the memory of the codec in bytes: all coefficients of a progressive image, otherwise a few rows.
    static func codecBytes(of header: ImageHeader) -> Int {
        header.isProgressive ? coefficientBytes(of: header) : 64 * header.width
    }

    /// Returns the memory in bytes for the coefficients of all scans: two bytes per sample of whole blocks, which have
    /// up to 32 pixels a side, but usually 8 or 16.
    static func coefficientBytes(of header: ImageHeader) -> Int {
        func padded(_ side: Int) -> Double { Double(max((side + 15) & ~15, 32)) }
        return Int(2 * padded(header.width) * padded(header.height) * header.samplesPerPixel)
    }

    package func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
        try data.reading { (bytes) throws(CodecError) in
            guard let segments = JPEGSegments(ByteReader(bytes)) else { throw CodecError(.notAnImage, "not a JPEG") }
            let frame = try segments.supportedFrame()
            let bitmap = try Self.bitmap(bytes, frame, of: header, scaledTo: size)
            return try DecodePostprocessing(size: size, orientation: header.orientation, colors: segments.colors(frame))
                .apply(to: bitmap)
        }
    }

    /// Decodes and scales. The codec's memory is free again when this returns.
    private static func bitmap(
        _ bytes: UnsafeRawBufferPointer, _ frame: JPEGSegments.Frame, of header: ImageHeader,
        scaledTo size: DecodeSize
    ) throws(CodecError) -> Bitmap {
        let stored = PixelSize(width: frame.width, height: frame.height)
        let scale = JPEGScale.smallest(from: stored, covering: header.stored(size.least))
        var rows = try JPEGRows(bytes, size: scale.size(of: stored), scale: scale, isCMYK: frame.isCMYK)
        return try rows.bitmap(
            of: scale.extent(of: stored), scaledTo: size.result.turned(from: header.orientation), by: size.filter)
    }
}

extension JPEGDecoder: GainMapDecoder {}

extension JPEGSegments {
    func colors(_ frame: Frame) -> ColorConversion? {
        frame.isCMYK ? .cmyk(profile()) : .rgb(profile(), isGray: frame.sampling.count == 1)
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
