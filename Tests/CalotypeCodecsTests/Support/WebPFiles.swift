import CalotypeCodecs
import Foundation

/// WebP files assembled from the encoder's images.
enum WebPFiles {
    static func chunk(_ name: String, _ content: Data) -> Data {
        let padding = content.count % 2 == 0 ? Data() : Data([0])
        return Data(name.utf8).littleEndian(content.count, bytes: 4) + content + padding
    }

    static func riff(_ chunks: Data) -> Data {
        Data("RIFF".utf8).littleEndian(chunks.count + 4, bytes: 4) + Data("WEBP".utf8) + chunks
    }

    /// Returns the chunks of a WebP file after its RIFF header, and without VP8X.
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

    /// Returns a still image, with an optional profile before it and an optional EXIF block after it.
    static func annotated(_ bitmap: Bitmap, profile: Data? = nil, exif: Data? = nil) throws -> Data {
        let picture = picture(try bitmap.encoded(as: .webpLossless))
        let flags = (profile == nil ? 0 : 0x20) | (exif == nil ? 0 : 0x08) | (bitmap.hasAlpha ? 0x10 : 0)
        return extended(
            width: bitmap.width, height: bitmap.height, flags: flags,
            (profile.map { chunk("ICCP", $0) } ?? Data()) + picture + (exif.map { chunk("EXIF", $0) } ?? Data()))
    }

    /// Returns an animation of frames at even positions on a canvas, each shown for 100 ms.
    static func animation(
        width: Int, height: Int, _ frames: [(x: Int, y: Int, bitmap: Bitmap)]
    ) throws -> Data {
        try animation(width: width, height: height, frames.map { Frame(x: $0.x, y: $0.y, bitmap: $0.bitmap) })
    }

    struct Frame {
        var x = 0
        var y = 0
        var bitmap: Bitmap
        var milliseconds = 100
        var clears = false
        var blends = true
    }

    static func animation(
        width: Int, height: Int, loopCount: Int = 0, profile: Data? = nil, _ frames: [Frame]
    ) throws -> Data {
        var chunks = profile.map { chunk("ICCP", $0) } ?? Data()
        chunks += chunk("ANIM", Data([0, 0, 255, 255]).littleEndian(loopCount, bytes: 2))
        for frame in frames {
            let head = Data().littleEndian(frame.x / 2, bytes: 3).littleEndian(frame.y / 2, bytes: 3)
                .littleEndian(frame.bitmap.width - 1, bytes: 3).littleEndian(frame.bitmap.height - 1, bytes: 3)
                .littleEndian(frame.milliseconds, bytes: 3)
            let flags: UInt8 = (frame.clears ? 1 : 0) | (frame.blends ? 0 : 2)
            chunks += chunk("ANMF", head + [flags] + picture(try frame.bitmap.encoded(as: .webpLossless)))
        }
        return extended(width: width, height: height, flags: 0x12 | (profile == nil ? 0 : 0x20), chunks)
    }
}
