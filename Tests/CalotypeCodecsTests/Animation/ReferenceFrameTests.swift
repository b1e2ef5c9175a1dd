import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// Compares frames with those of Pillow and ffmpeg, if both are installed and agree.
///
/// They differ on frames disposed to the background, for which this decoder follows browsers: see `GIFAnimationTests`.
@Suite(.enabled(if: OtherPlayers.areInstalled, "Pillow or ffmpeg is not installed")) struct ReferenceFrameTests {
    @Test(arguments: 0..<8)
    func `frames of a GIF are those on which Pillow and ffmpeg agree`(seed: Int) throws {
        let file = try Self.file(seed: UInt64(seed)).encoded()
        let players = try OtherPlayers(of: file)
        let animation = try #require(try DecoderRegistry.standard.animation(for: file))
        try #require(animation.frameCount == Self.frameCount)
        var compared = 0
        for (index, (pillow, ffmpeg)) in zip(try players.pillow(), try players.ffmpeg()).enumerated()
        where pillow == ffmpeg {
            #expect(try animation.frame(at: index).straightRGBA == pillow, "frame \(index)")
            compared += 1
        }
        #expect(compared > Self.frameCount / 2, "they agree on \(compared) frames of \(Self.frameCount)")
    }

    private static let frameCount = 12

    /// Returns a file with frames of any size and position, with holes, that stay or are reverted.
    private static func file(seed: UInt64) -> GIFFile {
        var random = SplitMix(seed: seed)
        let (width, height) = (Int.random(in: 8...40, using: &random), Int.random(in: 8...40, using: &random))
        let palette = (0..<UInt8(16)).map { (index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) in
            (index * 17, 255 - index * 13, index &* 37)
        }
        // The first covers the canvas, because players differ about pixels below the frames.
        var frames = [frame(PixelRect(x: 0, y: 0, width: width, height: height), &random)]
        while frames.count < frameCount {
            let (x, y) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            let columns = Int.random(in: 1...width - x, using: &random)
            let rows = Int.random(in: 1...height - y, using: &random)
            var next = frame(PixelRect(x: x, y: y, width: columns, height: rows), &random)
            next.transparentIndex = Bool.random(using: &random) ? 3 : nil
            next.disposal = Int.random(in: 0..<3, using: &random) == 0 ? 3 : 1
            frames.append(next)
        }
        return GIFFile(width: width, height: height, palette: palette, frames: frames)
    }

    private static func frame(_ rect: PixelRect, _ random: inout SplitMix) -> GIFFile.Frame {
        var indices: [UInt8] = []
        for _ in 0..<rect.width * rect.height { indices.append(UInt8.random(in: 0..<16, using: &random)) }
        return GIFFile.Frame(
            x: rect.x, y: rect.y, width: rect.width, height: rect.height, isInterlaced: Bool.random(using: &random),
            delay: 10, disposal: 1, indices: indices)
    }
}

/// All frames of a file as other programs draw them: rows of red, green, blue and alpha.
private struct OtherPlayers {
    private static let python = "/usr/bin/python3"
    private static let ffmpeg = "/usr/bin/ffmpeg"

    static let areInstalled =
        FileManager.default.isExecutableFile(atPath: ffmpeg)
        && (try? run(python, ["-c", "import PIL"], input: "/dev/null")) != nil

    private let file: Data
    private let frameBytes: Int

    init(of file: Data) throws {
        self.file = file
        let header = try DecoderRegistry.standard.header(of: file)
        frameBytes = header.width * header.height * 4
    }

    func pillow() throws -> [Data] {
        let script = """
            import io, sys
            from PIL import Image
            image = Image.open(io.BytesIO(sys.stdin.buffer.read()))
            for number in range(image.n_frames):
                image.seek(number)
                sys.stdout.buffer.write(image.convert("RGBA").tobytes())
            """
        return try frames(Self.python, ["-c", script])
    }

    func ffmpeg() throws -> [Data] {
        try frames(
            Self.ffmpeg,
            ["-v", "error", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", "rgba", "-vsync", "passthrough", "pipe:1"])
    }

    private func frames(_ program: String, _ arguments: [String]) throws -> [Data] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try file.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let bytes = try Self.run(program, arguments, input: path.path)
        return stride(from: 0, to: bytes.count, by: frameBytes).map { bytes[$0..<min($0 + frameBytes, bytes.count)] }
    }

    private struct Failure: Error { let program: String }

    private static func run(_ program: String, _ arguments: [String], input: String) throws -> Data {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle(forReadingAtPath: input)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(program: program) }
        return bytes
    }
}

extension Bitmap {
    /// Only correct for pixels that are opaque or transparent.
    fileprivate var straightRGBA: Data {
        var bytes = Data(capacity: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = self[x, y]
                bytes += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        return bytes
    }
}
