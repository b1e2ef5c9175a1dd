import CTurboJPEG

enum TurboJPEG {
    /// A warning from TurboJPEG about an image that it decoded nevertheless.
    enum Remark {
        case none
        case harmless
        case damage(String)
    }

    /// Decodes the whole image into `pixels` with four bytes per pixel: BGRA, or CMYK as stored.
    static func decode(
        _ jpeg: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int,
        isCMYK: Bool
    ) throws(CodecError) -> Remark {
        guard let handle = tjInitDecompress() else { throw CodecError(.tooLarge, "no memory for a JPEG decoder") }
        defer { tjDestroy(handle) }
        let format = isCMYK ? TJPF_CMYK : TJPF_BGRA
        let status = tjDecompress2(
            handle, jpeg.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(jpeg.count),
            pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(size.width), Int32(stride),
            Int32(size.height), format.rawValue, TJFLAG_LIMITSCANS)
        guard status != 0 else { return .none }

        let message = String(cString: tjGetErrorStr2(handle))
        guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue else {
            throw CodecError(.damaged, "JPEG is damaged: \(message)")
        }
        // "Corrupt JPEG data" and "Premature end" mean lost pixels, except for extraneous bytes before a marker.
        let isHarmless =
            message.contains("extraneous bytes before marker")
            || !message.contains("Corrupt JPEG data") && !message.contains("Premature end")
        return isHarmless ? .harmless : .damage(message)
    }
}
