import CalotypeCodecs
import CalotypeTesting
import TestSupport
import Foundation
import Testing

@Suite struct IsolationTests {
    private static let workers = DecoderWorkers(limit: 2)
    private static let apart = DecoderRegistry.standard.isolated(in: workers)
    private static let here = DecoderRegistry.standard.isolated(by: .off)

    @Test(arguments: [nil, ResizeTarget(width: 30), ResizeTarget(width: 640, height: 500)])
    func `a worker decodes the same pixels`(target: ResizeTarget?) throws {
        for side in [12, 600, 1400] {
            let picture = try Bitmap(width: side, height: side / 2, hasAlpha: side == 12) { pixels, _ in
                for index in pixels.indices {
                    pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 7)
                }
            }
            for format in [EncodingFormat.jpeg(), .png, .webp(), .webpLossless, .avif()] {
                let file = try picture.encoded(as: format)
                #expect(try Self.apart.header(of: file) == Self.here.header(of: file))
                let (one, other) = try (Self.apart.decode(file, target: target), Self.here.decode(file, target: target))
                #expect(one.size == other.size && one.hasAlpha == other.hasAlpha && one.words == other.words)
            }
        }
    }

    @Test func `a large result is changed in a copy`() throws {
        let picture = try Bitmap(width: 900, height: 700, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 200)
        }
        let bitmap = try Self.apart.decode(try picture.encoded(as: .png))
        let round = try bitmap.applying([ImageSteps.RoundedCorners(radius: 20)])
        #expect(bitmap.words.allSatisfy { $0 == 0xC8C8_C8C8 | 0xFF00_0000 } && round.words[0] == 0)
    }

    @Test func `bytes of no format, and files that are cut short, fail as they do here`() throws {
        let file = try Bitmap(width: 64, height: 64, hasAlpha: false) { pixels, _ in
            pixels.initializeMemory(as: UInt8.self, repeating: 90)
        }.encoded(as: .png)
        for bytes in [Data(), Data("<html>".utf8), file.prefix(30), file.prefix(80)] {
            let one = #expect(throws: CodecError.self) { try Self.apart.decode(bytes) }
            let other = #expect(throws: CodecError.self) { try Self.here.decode(bytes) }
            #expect(one?.code == other?.code && one?.message == other?.message)
        }
    }

    /// A codec leaves a damaged file by a jump, an exception or an early return.
    @Test(arguments: [EncodingFormat.jpeg(), .jpeg(isProgressive: true), .png, .webp(), .webpLossless, .avif()])
    func `a codec that gives up on a damaged file keeps neither its pixels nor its bytes`(format: EncodingFormat) throws
    {
        let workers = DecoderWorkers(limit: 1, reuse: .max)
        let decoders = DecoderRegistry.standard.isolated(in: workers)
        let file = try SamplePhotos.bitmap(width: 800, height: 640).encoded(as: format)
        // Together, their bitmaps are larger than what a worker may keep.
        for round in 0..<36 {
            let cut = file.prefix(file.count * (20 + round) / 60)
            #expect(throws: CodecError.self) { try decoders.decode(cut) }
        }
        #expect(workers.counters.ended == [:] && workers.counters.started == 1)
        workers.close()
    }

    @Test func `a partial image is decoded in a worker`() throws {
        let file = try Bitmap(width: 300, height: 300, hasAlpha: false) { pixels, _ in
            for index in pixels.indices {
                pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index &* 31 / 7)
            }
        }.encoded(as: .png)
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        let half = file.prefix(file.count / 2)
        let part = try Self.apart.decode(half, limits: limits)
        #expect(part.words == (try Self.here.decode(half, limits: limits)).words && part.words.last == 0)
    }

    @Test func `a decoder that a program registers stays in its process`() throws {
        struct Own: ImageDecoder {
            func header(of data: Data) -> ImageHeader? {
                data.first == 1
                    ? ImageHeader(format: ImageFormat(rawValue: "own"), width: Int(getpid()), height: 1) : nil
            }
            func workingBytes(for header: ImageHeader, scaledTo size: DecodeSize) -> Int { 0 }
            func decode(_ data: Data, header: ImageHeader, scaledTo size: DecodeSize) throws(CodecError) -> Bitmap {
                throw CodecError(.unsupported, "header only")
            }
        }
        var decoders = DecoderRegistry.standard
        decoders.register(Own())
        #expect(try decoders.isolated(in: Self.workers).header(of: Data([1])).width == Int(getpid()))
    }

    /// The row "`calotype-decoder` missing, of another version, or not executable"; the commands' tests have it, too.
    @Test(arguments: ["/no/such/calotype-decoder", "/etc/passwd", "/bin/true", "/bin/cat"])
    func `a program that is missing, not executable or another one fails with one line`(path: String) {
        let workers = DecoderWorkers(limit: 1, program: path)
        let error = #expect(throws: CodecError.self) { try workers.start() }
        #expect(error?.code == .decoderFailed && error?.message.contains("\n") == false, "\(error?.message ?? "")")
        let other = #expect(throws: CodecError.self) {
            try DecoderRegistry.standard.isolated(in: workers).decode(Data([0xFF, 0xD8, 0xFF, 0xD9]))
        }
        #expect(other?.code == .damaged || other?.code == .decoderFailed)
    }

    @Test(
        .disabled(if: Sanitizers.areOn, "the runtime makes calls of its own"),
        arguments: [
            (
                "refused",
                "the permission to call seccomp (in a systemd unit: SystemCallFilter=@system-service seccomp) is missing"
            ),
            ("unknown", "seccomp in this kernel or container is missing"),
            ("killed", "a filter of system calls ended the decoder before it was ready"),
        ])
    func `a service or container that forbids seccomp is named as the reason`(ending: String, reason: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "calotype-filter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "decoder-\(ending)").path
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: Programs.path("calotype-faulty-decoder"))
        let workers = FaultyWorkers(program: program).workers
        let error = #expect(throws: CodecError.self) { try workers.start() }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("libseccomp") == false)
    }

    @Test func `the worker refuses to run alone`() async throws {
        let child = try ChildProgram("calotype-decoder", [])
        #expect(
            await child.linesToEnd() == [
                "calotype-decoder decodes images for the program that it belongs to, which starts it."
            ])
    }
}
