import CResample
import CWebP
import CYuv

/// The planes of a lossy, opaque image as coded: luma, and two color channels at half the size.
///
/// Halving planes takes a fraction of the time of libwebp's scaling. Once luma is halved, all three have the same size.
struct WebPPlanes {
    private var luma: Plane
    private var blue: Plane
    private var red: Plane

    private struct Plane {
        let start: UnsafeMutablePointer<UInt8>
        let stride: Int
        var width: Int
        var height: Int
        /// The size of the image in samples. A last sample that the image covers only in part counts as a fraction.
        var length: (width: Double, height: Double)

        init(_ start: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
            (self.start, self.stride, self.width, self.height) = (start, stride, width, height)
            length = (Double(width), Double(height))
        }

        /// Halves the plane in place: the rows written always precede the rows still to be read.
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

    /// Uses the planes decoded by libwebp, which `output` owns. Returns `nil` if there are no planes.
    init?(_ output: WebPDecBuffer) {
        let (planes, width, height) = (output.u.YUVA, Int(output.width), Int(output.height))
        guard let y = planes.y, let u = planes.u, let v = planes.v else { return nil }
        luma = Plane(y, stride: Int(planes.y_stride), width: width, height: height)
        blue = Plane(u, stride: Int(planes.u_stride), width: (width + 1) / 2, height: (height + 1) / 2)
        red = Plane(v, stride: Int(planes.v_stride), width: (width + 1) / 2, height: (height + 1) / 2)
    }

    var halvedExtent: ImageExtent {
        ImageExtent(
            PixelSize(width: luma.width, height: luma.height), width: luma.length.width, height: luma.length.height)
    }

    /// Halves the planes in place to `size`, the image's size halved at least once, and writes them as BGRA.
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
