import Foundation

extension ImageCredits {
    /// Returns the JPEG with an added EXIF segment that contains the credits.
    ///
    /// - Parameter jpeg: A JPEG without an EXIF segment.
    func embedded(inJPEG jpeg: Data) -> Data {
        let content = Data("Exif\0\0".utf8) + exif
        var segment = Data([0xFF, 0xE1])
        segment.appendBigEndian(content.count + 2, bytes: 2)
        // A JFIF segment has to stay the first segment.
        let start = jpeg.reading { bytes in
            let file = ByteReader(bytes)
            return file.uint16(at: 2) == 0xFFE0 ? 4 + (file.uint16(at: 4) ?? 0) : 2
        }
        return jpeg.prefix(start) + segment + content + jpeg.dropFirst(start)
    }
}
