import CLcms2
import Foundation

struct JPEGEncoder: EXIFPlacingEncoder {
    var quality = 80
    var isProgressive = false
    /// Whether colors keep their full resolution (4:4:4). If `nil`, they do for a quality of 90 or above, and for images
    /// that would lose too much.
    var keepsColors: Bool?
    /// Whether files contain the sRGB profile. Without a profile, readers assume sRGB. Files of another gamut always have its profile.
    var hasProfile = false
    /// Whether files have luma alone, for pixels whose channels are the same.
    var isGray = false
    var exif: EXIFBlock?

    /// The longest side in pixels, as in libjpeg, which many readers use.
    static let longestSide = 65_500

    var format: ImageFormat { .jpeg }

    /// Encodes a bitmap, with its gain map behind it.
    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let plain = try plainFile(of: bitmap)
        let base = exif?.embedded(inJPEG: plain) ?? plain
        guard let map = try bitmap.gainMap?.drawn(for: bitmap.size) else { return base }
        return try GainMapFile(base: base, map: map, in: bitmap.gamut, quality: percent(quality)).write()
    }

    private func plainFile(of bitmap: Bitmap) throws(CodecError) -> Data {
        guard max(bitmap.width, bitmap.height) <= Self.longestSide else {
            throw CodecError(
                .encodingFailed,
                "JPEG of \(bitmap.size) pixels: a side is longer than \(Self.longestSide), the maximum")
        }
        let row = try WorkMemory(bytes: bitmap.hasAlpha ? 4 * bitmap.width : 0)
        return try bitmap.withUnsafeBytes { (pixels) throws(CodecError) in
            // A bitmap has at least one pixel.
            guard let start = pixels.baseAddress else { return Data() }
            return try file(
                in: bitmap.gamut,
                of: JPEGSource(
                    start, width: bitmap.width, height: bitmap.height, stride: bitmap.stride,
                    blended: bitmap.hasAlpha ? row.start.assumingMemoryBound(to: UInt32.self) : nil))
        }
    }

    private func file(in gamut: ColorGamut, of source: JPEGSource) throws(CodecError) -> Data {
        let quality = percent(quality)
        let file = JPEGFile(
            source: source, tables: JPEGTables(quality: quality, isSmall: max(source.width, source.height) < 200),
            isProgressive: isProgressive && !isGray, keepsColors: keepsColors ?? (quality >= 90 ? true : nil),
            isGray: isGray,
            profile: gamut == .displayP3 ? GamutProfile.displayP3 : hasProfile ? Self.profile : nil)
        return try file.write()
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
