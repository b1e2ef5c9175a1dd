import CalotypeCodecs
import Foundation

/// Kitty's graphics protocol: a PNG in base64, in chunks.
enum KittyImage {
    /// The protocol's limit for one escape sequence.
    private static let chunkLength = 4096

    /// Removes the images that touch the cursor.
    static let removal = "\u{1B}_Ga=d,d=C,q=2\u{1B}\\"

    static func bytes(of bitmap: Bitmap) throws(CodecError) -> Data {
        let text = Array(try bitmap.encoded(as: .png).base64EncodedData())
        var result = Data()
        for start in stride(from: 0, to: text.count, by: chunkLength) {
            let end = min(start + chunkLength, text.count)
            // a=T: keep and show; q=2: send no reply, which no reader expects; C=1: leave the cursor in its place.
            let keys = start == 0 ? "a=T,f=100,q=2,C=1," : ""
            result +=
                Data("\u{1B}_G\(keys)m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end] + Data("\u{1B}\\".utf8)
        }
        return result
    }
}
