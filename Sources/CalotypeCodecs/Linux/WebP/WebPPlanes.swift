import CResample
import CWebP
import CYuv

/// A lossy, opaque image as it is coded: luma, and two channels of color at half the size.
///
/// Halving these planes takes a fraction of the time that libwebp's own scaling does, and the first halving of luma brings
/// all three to one size.
struct WebPPlanes: ~Copyable {
    private var config: WebPDecoderConfig
    private var luma: Plane
    private var blue: Plane
    private var red: Plane

    private struct Plane {
        let start: UnsafeMutablePointer<UInt8>
        let stride: Int
        var width: Int
        var height: Int
        /// The image's own size in samples, without what the last ones are averaged with.
        var length: (width: Double, height: Double)

        init(_ start: UnsafeMutablePointer<UInt8>, stride: Int32, width: Int, height: Int) {
            (self.start, self.stride, self.width, self.height) = (start, Int(stride), width, height)
            length = (Double(width), Double(height))
        }

        /// In place: what is written lies in front of what is still to be read.
        mutating func halve() {
            for y in 0..<(height + 1) / 2 {
                let upper = start + 2 * y * stride
                let lower = 2 * y + 1 < height ? upper + stride : upper
                calotype_halve_plane(upper, lower, start + y * stride, width)
            }
            (width, height) = ((width + 1) / 2, (height + 1) / 2)
            length = (length.width / 2, length.height / 2)
        }
    }

    init(_ bitstream: WebPBitstream) throws(CodecError) {
        config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { throw WebPBitstream.wrongVersion }
        config.output.colorspace = MODE_YUV
        // As libwebp does where it scales: nothing is seen at half the size of edges between blocks.
        config.options.bypass_filtering = 1
        let start = bitstream.bytes.bindMemory(to: UInt8.self).baseAddress
        try WebPBitstream.check(WebPDecode(start, bitstream.bytes.count, &config))
        let planes = config.output.u.YUVA
        let width = Int(config.output.width), height = Int(config.output.height)
        guard let y = planes.y, let u = planes.u, let v = planes.v else {
            WebPFreeDecBuffer(&config.output)
            throw CodecError(.damaged, "WebP is damaged: its data makes no image")
        }
        luma = Plane(y, stride: planes.y_stride, width: width, height: height)
        blue = Plane(u, stride: planes.u_stride, width: (width + 1) / 2, height: (height + 1) / 2)
        red = Plane(v, stride: planes.v_stride, width: (width + 1) / 2, height: (height + 1) / 2)
    }

    deinit {
        var output = config.output
        WebPFreeDecBuffer(&output)
    }

    /// How far the image reaches over what was written.
    var halvedExtent: ImageExtent {
        ImageExtent(
            PixelSize(width: luma.width, height: luma.height), width: luma.length.width, height: luma.length.height)
    }

    /// Writes BGRA of `size`, which is the image's own, halved at least once.
    mutating func writeHalved(
        into pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int
    ) throws(CodecError) {
        luma.halve()
        while luma.width > size.width || luma.height > size.height {
            luma.halve()
            blue.halve()
            red.halve()
        }
        guard luma.width == size.width, luma.height == size.height else {
            throw CodecError(.damaged, "WebP is damaged: its data makes no image of \(size) pixels")
        }
        let status = I444ToARGB(
            luma.start, Int32(luma.stride), blue.start, Int32(blue.stride), red.start, Int32(red.stride),
            pixels.bindMemory(to: UInt8.self).baseAddress, Int32(stride), Int32(size.width), Int32(size.height))
        guard status == 0 else { throw CodecError(.unsupported, "could not convert \(size) pixels") }
    }
}
