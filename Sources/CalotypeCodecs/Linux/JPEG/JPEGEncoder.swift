import CLcms2
import CTurboJPEG
import Foundation

struct JPEGEncoder: ImageEncoder {
    var quality = 80
    var isProgressive = false
    /// Whether colors keep their full resolution (4:4:4). If `nil`, they do for a quality of 90 or above.
    var keepsColors: Bool?

    var format: ImageFormat { .jpeg }

    func encode(_ bitmap: Bitmap) throws(CodecError) -> Data {
        let opaque = bitmap.hasAlpha ? try bitmap.onWhite() : bitmap
        return Self.markedAsSRGB(try compress(opaque))
    }

    private func compress(_ bitmap: Bitmap) throws(CodecError) -> Data {
        guard let handle = tjInitCompress() else { throw CodecError(.encodingFailed, "no memory for a JPEG encoder") }
        defer { tjDestroy(handle) }
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(jpeg) }
        let sampling = keepsColors ?? (percent(quality) >= 90) ? TJSAMP_444 : TJSAMP_420
        let status = bitmap.withUnsafeBytes { pixels in
            tjCompress2(
                handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bitmap.width),
                Int32(bitmap.stride), Int32(bitmap.height), TJPF_BGRX.rawValue, &jpeg, &count,
                Int32(sampling.rawValue), Int32(max(1, percent(quality))), isProgressive ? TJFLAG_PROGRESSIVE : 0)
        }
        guard status == 0, let jpeg else {
            let reason = String(cString: tjGetErrorStr2(handle))
            throw CodecError(.encodingFailed, "JPEG of \(bitmap.size) pixels: \(reason)")
        }
        return Data(bytes: jpeg, count: Int(count))
    }

    /// Inserts the sRGB profile as an APP2 segment (ICC.1, annex B.4) after the JFIF segment, which has to come first.
    private static func markedAsSRGB(_ file: Data) -> Data {
        let length =
            file.reading { ByteReader($0).uint32(at: 2).flatMap { $0 >> 16 == 0xFFE0 ? $0 & 0xFFFF : nil } } ?? -2
        guard !profile.isEmpty else { return file }
        var marked = file.prefix(4 + length)
        let size = 2 + 14 + profile.count
        marked.append(contentsOf: [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 0xFF)])
        marked.append(contentsOf: "ICC_PROFILE\0\u{1}\u{1}".utf8)
        marked.append(profile)
        marked.append(file.dropFirst(4 + length))
        return marked
    }

    /// lcms2's sRGB profile of 588 bytes, the same in every process. Empty if memory is exhausted: decoders interpret
    /// files without a profile as sRGB as well.
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
