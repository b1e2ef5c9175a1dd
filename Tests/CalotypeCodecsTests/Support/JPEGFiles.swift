import CTurboJPEG
import CalotypeCodecs
import Foundation
import Testing

/// JPEG files as cameras and printers make them, written by TurboJPEG and patched.
enum JPEGFiles {
    static func make(
        _ bitmap: Bitmap, sampling: TJSAMP = TJSAMP_444, quality: Int32 = 95, progressive: Bool = false
    ) throws -> Data {
        try bitmap.withUnsafeBytes { pixels in
            try compress(
                pixels, bitmap.width, bitmap.height, TJPF_BGRX, sampling, quality, progressive ? TJFLAG_PROGRESSIVE : 0)
        }
    }

    /// Returns an image in one color of four inks, stored as YCCK with an Adobe marker. By Adobe's convention, 255
    /// stands for no ink.
    static func ycck(
        _ width: Int, _ height: Int, cyan: UInt8, magenta: UInt8, yellow: UInt8, black: UInt8
    ) throws -> Data {
        let pixels = Array(repeating: [cyan, magenta, yellow, black], count: width * height).flatMap { $0 }
        return try pixels.withUnsafeBytes { try compress($0, width, height, TJPF_CMYK, TJSAMP_444, 100, 0) }
    }

    private static func compress(
        _ pixels: UnsafeRawBufferPointer, _ width: Int, _ height: Int, _ format: TJPF, _ sampling: TJSAMP,
        _ quality: Int32, _ flags: Int32
    ) throws -> Data {
        let handle = try #require(tjInitCompress())
        defer { tjDestroy(handle) }
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(jpeg) }
        let status = tjCompress2(
            handle, pixels.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), 0, Int32(height),
            format.rawValue, &jpeg, &count, Int32(sampling.rawValue), quality, flags)
        try #require(status == 0)
        return Data(bytes: try #require(jpeg), count: Int(count))
    }

    /// Returns the content of an APP1 segment with only an orientation.
    static func exif(_ orientation: Int, bigEndian: Bool = true) -> Data {
        Data("Exif\0\0".utf8) + tiff(orientation, bigEndian: bigEndian)
    }

    static func tiff(_ orientation: Int, bigEndian: Bool = true) -> Data {
        func number(_ value: Int, _ bytes: Int) -> Data {
            bigEndian ? Data().bigEndian(value, bytes: bytes) : Data().littleEndian(value, bytes: bytes)
        }
        return Data((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
            + number(0x0100, 2) + number(4, 2) + number(1, 4) + number(4000, 4)
            + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
            + number(0, 4)
    }
}

extension Data {
    /// Returns this JPEG with one more segment after its first two bytes.
    func addingSegment(_ marker: UInt8, _ content: Data) -> Data {
        prefix(2) + Data([0xFF, marker]).bigEndian(content.count + 2, bytes: 2) + content + dropFirst(2)
    }

    func addingEXIF(_ orientation: Int, bigEndian: Bool = true) -> Data {
        addingSegment(0xE1, JPEGFiles.exif(orientation, bigEndian: bigEndian))
    }

    /// Returns this JPEG with a profile in APP2, in this many chunks, the last one first.
    func addingProfile(_ profile: Data, chunks: Int = 1) -> Data {
        let size = (profile.count + chunks - 1) / chunks
        return (1...chunks).reduce(self) { file, number in
            let chunk = profile.dropFirst((number - 1) * size).prefix(size)
            return file.addingSegment(0xE2, Data("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(chunks)] + chunk)
        }
    }

    /// Returns this JPEG without its Adobe marker.
    func removingAdobeMarker() throws -> Data {
        let start = try #require(range(of: Data([0xFF, 0xEE, 0x00, 0x0E]) + Data("Adobe".utf8))).lowerBound
        return self[..<start] + self[(start + 16)...]
    }

    func replacing(_ old: [UInt8], with new: [UInt8]) throws -> Data {
        var copy = self
        copy.replaceSubrange(try #require(range(of: Data(old))), with: new)
        return copy
    }
}
