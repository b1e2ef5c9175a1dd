import CJPEG
import CLcms2
import Foundation

struct JPEGEncoder: ImageEncoder {
    var quality = 80
    var isProgressive = false
    /// Whether colors keep their full resolution (4:4:4). If `nil`, they do for a quality of 90 or above.
    var keepsColors: Bool?
    /// Whether files contain the sRGB profile. Without a profile, readers assume sRGB.
    var hasProfile = false

    var format: ImageFormat { .jpeg }

    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let opaque = bitmap.hasAlpha ? try bitmap.onWhite() : bitmap
        return try hasProfile
            ? Self.profile.reading { (profile) throws(CodecError) in try compress(opaque, profile) } : compress(opaque)
    }

    private func compress(_ bitmap: Bitmap, _ profile: UnsafeRawBufferPointer? = nil) throws(CodecError) -> Data {
        let options = calotype_jpeg_encoding(
            quality: Int32(max(1, percent(quality))), is_progressive: isProgressive,
            keeps_colors: keepsColors ?? (percent(quality) >= 90),
            profile: profile?.baseAddress?.assumingMemoryBound(to: UInt8.self), profile_count: profile?.count ?? 0)
        var jpeg = calotype_jpeg_encoder()
        let isEncoded = bitmap.withUnsafeBytes { pixels in
            calotype_jpeg_encode(
                &jpeg, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), bitmap.stride,
                UInt32(clamping: bitmap.width), UInt32(clamping: bitmap.height), options)
        }
        guard isEncoded, let file = jpeg.file else {
            let reason = withUnsafeBytes(of: jpeg.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw CodecError(.encodingFailed, "JPEG of \(bitmap.size) pixels: \(reason)")
        }
        defer { free(file) }
        return Data(bytes: file, count: Int(jpeg.count))
    }

    /// lcms2's sRGB profile of 588 bytes, the same in every process. Empty if memory is exhausted.
    private static let profile: Data = {
        guard let profile = cmsCreate_sRGBProfile() else { return Data() }
        defer { cmsCloseProfile(profile) }
        var count: cmsUInt32Number = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return Data() }
        var bytes = Data(count: Int(count))
        let isSaved = bytes.withUnsafeMutableBytes { cmsSaveProfileToMem(profile, $0.baseAddress, &count) != 0 }
        guard isSaved, bytes.count > 128 else { return Data() }
        // Set the creation date to 2000-01-01, so that the profile is always the same.
        bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        return bytes
    }()
}

extension Bitmap {
    fileprivate func onWhite() throws(CodecError) -> Bitmap {
        var opaque = self
        try opaque.withUnsafeMutableBytes { pixels in
            PixelRows(pixels, size: size, stride: stride).forEachRow { row in
                for x in row.indices { row[x] = row[x].overWhite }
            }
        }
        return opaque
    }
}

extension UInt32 {
    /// A premultiplied pixel over white. A color that exceeds its alpha becomes 255, and does not overflow into the next
    /// channel.
    fileprivate var overWhite: UInt32 {
        let white = 255 - self >> 24
        let redBlue = (self & 0x00FF_00FF) &+ white &* 0x0001_0001, green = (self >> 8 & 0xFF) &+ white
        let excess = redBlue & 0x0100_0100
        return 0xFF00_0000 | (redBlue | (excess &- excess >> 8)) & 0x00FF_00FF | Swift.min(green, 255) << 8
    }
}
