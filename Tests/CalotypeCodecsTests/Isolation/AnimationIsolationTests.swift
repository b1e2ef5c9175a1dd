import CalotypeCodecs
import Foundation
import Testing

@Suite struct AnimationIsolationTests {
    private static let file: Data = {
        // Three frames of 2 × 2 pixels.
        var bytes: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
        for index in [UInt8(0), 1, 0] {
            bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2]
            // Clear, four pixels and the end in codes of 3 bits: a clear code before each pixel keeps their size.
            bytes += lzw([index, index, index, index])
        }
        return Data(bytes + [0x3B])
    }()

    private static func lzw(_ pixels: [UInt8]) -> [UInt8] {
        var (bits, count, bytes): (UInt32, UInt32, [UInt8]) = (0, 0, [])
        let codes: [UInt32] = pixels.flatMap { [UInt32(4), UInt32($0)] } + [5]
        for code in codes {
            bits |= code << count
            count += 3
            while count >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        bytes.append(UInt8(bits & 0xFF))
        return [UInt8(bytes.count)] + bytes + [0]
    }

    @Test(arguments: [1, 2, 4]) func `frames are the same in a worker, kept or not`(limit: Int) throws {
        let workers = DecoderWorkers(limit: limit)
        let apart = DecoderRegistry.standard.isolated(in: workers)
        let animations = try (0..<3).map { _ in try #require(try apart.animation(for: Self.file)) }
        let here = try #require(try DecoderRegistry.standard.animation(for: Self.file))
        for index in [0, 1, 2, 0] {
            for animation in animations {
                #expect(animation.durations == here.durations && animation.loopCount == here.loopCount)
                #expect(try animation.frame(at: index).words == here.frame(at: index).words)
            }
        }
        #expect(try apart.header(of: Self.file) == DecoderRegistry.standard.header(of: Self.file))
    }

    /// The row "SIGKILL to every worker".
    @Test(arguments: [1, 2]) func `a frame comes although its worker was killed`(limit: Int) throws {
        let apart = DecoderRegistry.standard.isolated(in: DecoderWorkers(limit: limit))
        let animation = try #require(try apart.animation(for: Self.file))
        let here = try #require(try DecoderRegistry.standard.animation(for: Self.file))
        for index in 0..<3 {
            Processes.killChildren(named: "calotype-decode")
            #expect(try animation.frame(at: index).words == here.frame(at: index).words)
        }
    }
}
