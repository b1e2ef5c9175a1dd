import CalotypeBase
import CalotypeURLs

/// How hard encoders try, for all URLs of a server.
package struct EncoderOptions: Hashable, Sendable {
    /// The speed of the encoder of AVIF, from 0 (smallest files) to 10. The default is 8.
    package var avifSpeed = 8
    #if JPEGXL
        /// The effort of the encoder of JPEG XL, from 1 (fastest) to 9 (smallest files). The default is 4.
        package var jpegXLEffort = 4
        /// Whether a JPEG XL without transparency holds the JPEG that other clients get, without a further loss. The default is
        /// `false`.
        package var recompressesJPEG = false
    #endif

    package init() {}

    /// All of them.
    var text: ByteString { text { _ in true } }

    /// Those that affect the file.
    func text(for encoding: RenditionEncoding) -> ByteString {
        let text = text(encoding.mayBe)
        return text.isEmpty ? "" : " \(text)"
    }

    private func text(_ isWritten: (RenditionFormat) -> Bool) -> ByteString {
        let avif = isWritten(.avif) ? ["\(avifSpeed)"] : []
        #if JPEGXL
            let jpegXL = isWritten(.jxl) ? ["jxl\(jpegXLEffort)\(recompressesJPEG ? "j" : "")"] : []
        #else
            let jpegXL: [String] = []
        #endif
        return ByteString((avif + jpegXL).joined(separator: " "))
    }
}
