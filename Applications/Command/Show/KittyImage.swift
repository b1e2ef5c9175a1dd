import CalotypeCodecs
import Foundation

/// An image in kitty's graphics protocol.
enum KittyImage {
    /// The longest text in a chunk, by the protocol; a multiple of four, as Base64 needs.
    private static let chunkLength = 4096

    /// Returns the sequences that draw the image at the cursor, over a background and without alpha.
    ///
    /// They neither stretch the image to whole cells nor move the cursor. With `q=2`, the terminal sends no reply,
    /// because nothing would read it. libchafa would write the same, but its Base64 loses two bits of each 512th byte in
    /// version 1.12, which Debian 12 has.
    static func drawing(_ bitmap: Bitmap, over background: ImageColor) throws(CodecError) -> Data {
        let text = try pixels(of: bitmap.applying(ImageSteps.Background(background))).base64EncodedData()
        var output = Data("\u{1B}_Ga=T,q=2,C=1,f=24,s=\(bitmap.width),v=\(bitmap.height),m=1\u{1B}\\".utf8)
        for start in stride(from: 0, to: text.count, by: chunkLength) {
            output += Data("\u{1B}_Gm=1;".utf8) + text[start..<min(start + chunkLength, text.count)]
            output += Data("\u{1B}\\".utf8)
        }
        return output + Data("\u{1B}_Gm=0\u{1B}\\".utf8)
    }

    /// Returns red, green and blue of each pixel.
    private static func pixels(of bitmap: Bitmap) -> Data {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * bitmap.width * bitmap.height)
        bitmap.withUnsafeBytes { bytes in
            for y in 0..<bitmap.height {
                for start in stride(from: y * bitmap.stride, to: y * bitmap.stride + 4 * bitmap.width, by: 4) {
                    pixels.append(bytes[start + 2])
                    pixels.append(bytes[start + 1])
                    pixels.append(bytes[start])
                }
            }
        }
        return Data(pixels)
    }
}
