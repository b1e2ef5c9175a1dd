import CalotypeCodecs
import Foundation

/// WebP files put together from the images that the encoder writes.
enum WebPFiles {
    static func chunk(_ name: String, _ content: Data) -> Data {
        let padding = content.count % 2 == 0 ? Data() : Data([0])
        return Data(name.utf8).littleEndian(content.count, bytes: 4) + content + padding
    }

    static func riff(_ chunks: Data) -> Data {
        Data("RIFF".utf8).littleEndian(chunks.count + 4, bytes: 4) + Data("WEBP".utf8) + chunks
    }

    /// The chunks of a simple file, or of an extended one without its head.
    static func picture(_ file: Data) -> Data {
        let chunks = file.dropFirst(12)
        return chunks.starts(with: Data("VP8X".utf8)) ? Data(chunks.dropFirst(18)) : Data(chunks)
    }

    static func extended(
        width: Int, height: Int, flags: Int, _ chunks: Data
    ) -> Data {
        let head = Data([UInt8(flags), 0, 0, 0]).littleEndian(width - 1, bytes: 3).littleEndian(height - 1, bytes: 3)
        return riff(chunk("VP8X", head) + chunks)
    }

    /// A still image with a profile in front and an EXIF block behind.
    static func annotated(_ bitmap: Bitmap, profile: Data? = nil, exif: Data? = nil) throws -> Data {
        let picture = picture(try bitmap.encoded(as: .webpLossless))
        let flags = (profile == nil ? 0 : 0x20) | (exif == nil ? 0 : 0x08) | (bitmap.hasAlpha ? 0x10 : 0)
        return extended(
            width: bitmap.width, height: bitmap.height, flags: flags,
            (profile.map { chunk("ICCP", $0) } ?? Data()) + picture + (exif.map { chunk("EXIF", $0) } ?? Data()))
    }

    /// Frames at even places on a canvas.
    static func animation(
        width: Int, height: Int, _ frames: [(x: Int, y: Int, bitmap: Bitmap)]
    ) throws -> Data {
        var chunks = chunk("ANIM", Data([0, 0, 0, 0, 0, 0]))
        for (x, y, bitmap) in frames {
            let head = Data().littleEndian(x / 2, bytes: 3).littleEndian(y / 2, bytes: 3)
                .littleEndian(bitmap.width - 1, bytes: 3).littleEndian(bitmap.height - 1, bytes: 3)
                .littleEndian(100, bytes: 3)
            chunks += chunk("ANMF", head + [0] + picture(try bitmap.encoded(as: .webpLossless)))
        }
        return extended(width: width, height: height, flags: 0x12, chunks)
    }
}
