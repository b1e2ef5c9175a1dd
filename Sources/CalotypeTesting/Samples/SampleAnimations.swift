public import Foundation

/// Animations drawn in code, for tests.
public enum SampleAnimations {
    /// Returns a GIF whose frames each have a single color.
    ///
    /// - Parameters:
    ///   - colors: The color of each frame as 0xRRGGBB, at most 64.
    ///   - delay: The duration of each frame, in hundredths of a second.
    ///   - repetitions: The number of repetitions after the first playback; 0 repeats forever. If `nil`, the file
    ///     contains no number, and the animation plays once.
    public static func gif(
        width: Int, height: Int, colors: [Int], delay: Int = 10, repetitions: Int? = 0
    ) -> Data {
        var file = Data("GIF89a".utf8)
        file.append(width, height)
        file += [0x85, 0, 0]
        for index in 0..<64 {
            let color = index < colors.count ? colors[index] : 0
            file += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
        }
        if let repetitions {
            file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
            file.append(repetitions)
            file += [0]
        }
        for index in colors.prefix(64).indices {
            file += [0x21, 0xF9, 4, 0]
            file.append(delay)
            file += [0, 0, 0x2C]
            file.append(0, 0, width, height)
            file += [0] + pixels(UInt8(index), count: width * height)
        }
        return file + [0x3B]
    }

    /// Returns uncompressed image data. The minimum LZW code size is 7, and a clear code every 100 pixels keeps all
    /// codes at 8 bits.
    private static func pixels(_ index: UInt8, count: Int) -> [UInt8] {
        let (clear, end): (UInt8, UInt8) = (0x80, 0x81)
        var codes: [UInt8] = []
        for start in stride(from: 0, to: count, by: 100) {
            codes.append(clear)
            codes += [UInt8](repeating: index, count: min(100, count - start))
        }
        codes.append(end)
        var blocks: [UInt8] = [7]
        for start in stride(from: 0, to: codes.count, by: 255) {
            let block = codes[start..<min(start + 255, codes.count)]
            blocks.append(UInt8(block.count))
            blocks += block
        }
        return blocks + [0]
    }
}

extension Data {
    fileprivate mutating func append(_ numbers: Int...) {
        for number in numbers { self += [UInt8(number & 255), UInt8(number >> 8 & 255)] }
    }
}
