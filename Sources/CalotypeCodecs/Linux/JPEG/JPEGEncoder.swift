import CTurboJPEG
import Foundation

/// An encoder of baseline or progressive JPEG.
struct JPEGEncoder: ImageEncoder {
    var quality: Int
    /// The color behind transparent pixels: red, green, blue. The default is white.
    var background: (red: UInt8, green: UInt8, blue: UInt8) = (255, 255, 255)
    var isProgressive = false
    /// Whether colors keep their full resolution (4:4:4). If `nil`, the quality decides.
    var keepsColors: Bool?

    init(quality: Int = 80) {
        self.quality = quality
    }

    var format: ImageFormat { .jpeg }

    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let opaque = bitmap.hasAlpha ? try flattened(bitmap) : bitmap
        let compressor = try TurboCompressor()
        let file = try opaque.withUnsafeBytes { (pixels) throws(CodecError) in
            try compressor.compress(
                pixels, width: opaque.width, height: opaque.height, stride: opaque.stride,
                quality: max(1, percent(quality)), isProgressive: isProgressive,
                keepsColors: keepsColors ?? (percent(quality) >= 90))
        }
        return Self.markedAsSRGB(file)
    }

    /// Returns the file with the sRGB profile after JFIF's segment, which has to come first (ICC.1, annex B.4).
    private static func markedAsSRGB(_ file: Data) -> Data {
        let length =
            file.reading { ByteReader($0).uint32(at: 2).flatMap { $0 >> 16 == 0xFFE0 ? $0 & 0xFFFF : nil } } ?? -2
        let profile = SRGBProfile.bytes
        guard !profile.isEmpty else { return file }
        var marked = file.prefix(4 + length)
        let size = 2 + 14 + profile.count
        marked.append(contentsOf: [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 0xFF)])
        marked.append(contentsOf: "ICC_PROFILE\0\u{1}\u{1}".utf8)
        marked.append(profile)
        marked.append(file.dropFirst(4 + length))
        return marked
    }

    private func flattened(_ bitmap: Bitmap) throws(CodecError) -> Bitmap {
        var opaque = bitmap
        let paper = UInt32(background.red) << 16 | UInt32(background.green) << 8 | UInt32(background.blue)
        try opaque.withUnsafeMutableBytes { (pixels) throws(CodecError) in
            PixelRows(pixels, width: bitmap.width, height: bitmap.height, stride: bitmap.stride).layOver(paper)
        }
        return opaque
    }
}

extension PixelRows {
    /// Blends premultiplied pixels over an opaque color.
    fileprivate func layOver(_ paper: UInt32) {
        forEachRow { row in
            for x in row.indices {
                let pixel = row[x]
                let rest = 255 - pixel >> 24
                // The sums cannot overflow into the next channel: a premultiplied channel is at most its alpha.
                let paperRedBlue = (paper & 0x00FF_00FF).scaledPair(by: rest)
                let paperGreen = (paper >> 8 & 0xFF).multipliedAs255(by: rest)
                row[x] = (pixel | 0xFF00_0000) &+ paperRedBlue &+ paperGreen << 8
            }
        }
    }
}

/// A TurboJPEG encoder for one image.
private struct TurboCompressor: ~Copyable {
    private let handle: tjhandle

    init() throws(CodecError) {
        guard let handle = tjInitCompress() else {
            throw CodecError(.encodingFailed, "no memory for a JPEG encoder")
        }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    func compress(
        _ pixels: UnsafeRawBufferPointer, width: Int, height: Int, stride: Int, quality: Int, isProgressive: Bool,
        keepsColors: Bool
    ) throws(CodecError) -> Data {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(jpeg) }
        let sampling = keepsColors ? TJSAMP_444 : TJSAMP_420
        let status = tjCompress2(
            handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(stride),
            Int32(height), TJPF_BGRX.rawValue, &jpeg, &count, Int32(sampling.rawValue), Int32(quality),
            isProgressive ? TJFLAG_PROGRESSIVE : 0)
        guard status == 0, let jpeg else {
            throw CodecError(
                .encodingFailed, "JPEG of \(width) × \(height) pixels: \(String(cString: tjGetErrorStr2(handle)))")
        }
        return Data(bytes: jpeg, count: Int(count))
    }
}
