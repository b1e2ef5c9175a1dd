import CTurboJPEG

/// A TurboJPEG decoder for one image.
struct TurboDecompressor: ~Copyable {
    private let handle: tjhandle

    init() throws(CodecError) {
        guard let handle = tjInitDecompress() else { throw CodecError(.tooLarge, "no memory for a JPEG decoder") }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// A warning from TurboJPEG about an image that it decoded nevertheless.
    enum Remark {
        case none
        case harmless
        case damage(String)
    }

    /// Decodes the whole image into `pixels` with four bytes per pixel: BGRA, or CMYK as stored.
    func decode(
        _ jpeg: UnsafeRawBufferPointer, into pixels: UnsafeMutableRawBufferPointer, size: PixelSize, stride: Int,
        isCMYK: Bool
    ) throws(CodecError) -> Remark {
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
        return Self.isHarmless(message) ? .harmless : .damage(message)
    }

    /// Returns whether a warning is harmless. A "Corrupt JPEG data" warning of libjpeg means lost pixels, unless it is
    /// about extraneous bytes before a marker.
    private static func isHarmless(_ warning: String) -> Bool {
        if warning.contains("extraneous bytes before marker") { return true }
        return !warning.contains("Corrupt JPEG data") && !warning.contains("Premature end")
    }
}
