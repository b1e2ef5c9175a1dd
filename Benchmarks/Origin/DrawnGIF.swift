import CGif
import CalotypeTesting
import Foundation

/// A GIF of noise on a gradient, written frame by frame, with about as many bytes per frame as a filmed GIF.
enum DrawnGIF {
    /// - Parameter delay: The duration of each frame, in hundredths of a second.
    static func make(frames: Int, side: Int, delay: Int = 4) throws -> Data {
        let output = Output()
        var error: Int32 = 0
        let opened = EGifOpen(
            Unmanaged.passUnretained(output).toOpaque(),
            { file, bytes, count in
                guard let user = file?.pointee.UserData, let bytes else { return 0 }
                Unmanaged<Output>.fromOpaque(user).takeUnretainedValue().data.append(bytes, count: Int(count))
                return count
            }, &error)
        guard let file = opened else { throw BenchError("giflib cannot write") }
        EGifSetGifVersion(file, true)
        let colors = (0..<256).map { GifColorType(Red: UInt8($0), Green: UInt8(255 - $0), Blue: UInt8($0 / 2)) }
        let map = GifMakeMapObject(256, colors)
        defer { GifFreeMapObject(map) }
        try check(EGifPutScreenDesc(file, Int32(side), Int32(side), 8, 0, map))
        var random = SplitMix(seed: 1)
        for frame in 0..<frames { try put(frame, side, delay, into: file, &random) }
        guard EGifCloseFile(file, &error) == GIF_OK else { throw BenchError("giflib cannot write") }
        return output.data
    }

    private static func put(
        _ frame: Int, _ side: Int, _ delay: Int, into file: UnsafeMutablePointer<GifFileType>,
        _ random: inout SplitMix
    ) throws {
        try check(EGifPutExtension(file, 0xF9, 4, [0, UInt8(delay), 0, 0]))
        try check(EGifPutImageDesc(file, 0, 0, Int32(side), Int32(side), false, nil))
        for y in 0..<side {
            var row = (0..<side).map { x in UInt8(truncatingIfNeeded: (x + y + 7 * frame) / 16) }
            // Each of these random pixels interrupts a run of equal pixels, and so enlarges the file.
            for _ in 0..<side / 24 { row[Int(random.next() % UInt64(side))] = UInt8(random.next() & 255) }
            try check(EGifPutLine(file, &row, Int32(side)))
        }
    }

    private static func check(_ status: Int32) throws {
        if status != GIF_OK { throw BenchError("giflib cannot write") }
    }

    private final class Output {
        var data = Data()
    }
}
