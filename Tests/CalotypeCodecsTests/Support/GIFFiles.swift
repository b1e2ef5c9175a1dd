import CGif
import Foundation
import Testing

/// A GIF written by giflib, frame by frame.
struct GIFFile {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var isInterlaced = false
        var transparentIndex: UInt8?
        /// The delay, in hundredths of a second.
        var delay = 0
        /// The disposal method in the file, 0 to 7: 1 keep, 2 background, 3 previous.
        var disposal: UInt8 = 0
        /// Color indices, row by row.
        var indices: [UInt8]
    }

    var width: Int
    var height: Int
    var palette: [(red: UInt8, green: UInt8, blue: UInt8)]
    var frames: [Frame]
    /// The count in the NETSCAPE extension; if `nil`, the file has no such extension.
    var repetitions: Int?

    func encoded() throws -> Data {
        let output = Output()
        var error: Int32 = 0
        let file = try #require(
            EGifOpen(
                Unmanaged.passUnretained(output).toOpaque(),
                { file, bytes, count in
                    guard let user = file?.pointee.UserData, let bytes else { return 0 }
                    Unmanaged<Output>.fromOpaque(user).takeUnretainedValue().data.append(bytes, count: Int(count))
                    return count
                }, &error))
        var isOpen = true
        defer { if isOpen { EGifCloseFile(file, &error) } }
        EGifSetGifVersion(file, true)
        let colors = palette.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
        let map = GifMakeMapObject(Int32(colors.count), colors)
        defer { GifFreeMapObject(map) }
        try #require(EGifPutScreenDesc(file, Int32(width), Int32(height), 8, 0, map) == GIF_OK)
        if let repetitions { try putLoop(repetitions, into: file) }
        for frame in frames { try put(frame, into: file) }
        isOpen = false
        try #require(EGifCloseFile(file, &error) == GIF_OK)
        return output.data
    }

    private func put(_ frame: Frame, into file: UnsafeMutablePointer<GifFileType>) throws {
        if frame.transparentIndex != nil || frame.delay > 0 || frame.disposal > 0 {
            let flags = frame.disposal << 2 | (frame.transparentIndex == nil ? 0 : 1)
            let control = [
                flags, UInt8(frame.delay & 255), UInt8(frame.delay >> 8), frame.transparentIndex ?? 0,
            ]
            try #require(EGifPutExtension(file, 0xF9, 4, control) == GIF_OK)
        }
        try #require(
            EGifPutImageDesc(
                file, Int32(frame.x), Int32(frame.y), Int32(frame.width), Int32(frame.height), frame.isInterlaced, nil)
                == GIF_OK)
        let order =
            frame.isInterlaced
            ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
            : Array(0..<frame.height)
        for y in order {
            var row = Array(frame.indices[y * frame.width..<(y + 1) * frame.width])
            try #require(EGifPutLine(file, &row, Int32(row.count)) == GIF_OK)
        }
    }

    private func putLoop(_ repetitions: Int, into file: UnsafeMutablePointer<GifFileType>) throws {
        let count: [UInt8] = [1, UInt8(repetitions & 255), UInt8(repetitions >> 8)]
        try #require(EGifPutExtensionLeader(file, 0xFF) == GIF_OK)
        try #require(EGifPutExtensionBlock(file, 11, Array("NETSCAPE2.0".utf8)) == GIF_OK)
        try #require(EGifPutExtensionBlock(file, 3, count) == GIF_OK)
        try #require(EGifPutExtensionTrailer(file) == GIF_OK)
    }

    private final class Output {
        var data = Data()
    }
}
