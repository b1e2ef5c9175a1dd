import CTurboJPEG
import CalotypeFuzzSupport
import Foundation
import Testing

@testable import CalotypeCodecs

/// The errors and warnings of libjpeg: an error is final, and a warning counts if pixels are lost.
@Suite struct JPEGRowsTests {
    private static let accepting: DecodeLimits = {
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        return limits
    }()

    // MARK: - Errors

    @Test func `each fault is another error of libjpeg`() throws {
        var messages: Set<String> = []
        for fault in JPEGFault.allCases {
            let error = #expect(throws: CodecError.self, "\(fault)") { try fault.file().decoded() }
            messages.insert(error?.message ?? "")
        }
        #expect(messages.count == JPEGFault.allCases.count, "\(messages)")
    }

    @Test(arguments: JPEGFault.allCases)
    func `an error ends the decode, whatever harmless warning precedes it`(fault: JPEGFault) throws {
        for oddity in fault.oddities {
            let (name, file) = (oddity.rawValue, try oddity.added(to: fault.file()))
            for limits in [DecodeLimits(), Self.accepting] {
                let error = #expect(throws: CodecError.self, "\(name)") { try file.decoded(limits: limits) }
                #expect(error?.code == .damaged, "\(name): \(error?.message ?? "")")
            }
        }
    }

    @Test func `an error after stray bytes never shows uninitialized memory`() throws {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(content.count + 2)] + content
        }
        let size: [UInt8] = [8, 1, 144, 2, 128, 3]
        let file =
            [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + [0, 0]
            + segment(0xC0, size + [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
            + segment(0xDA, [3, 1, 0, 2, 0, 9, 0, 0, 63, 0]) + [UInt8](repeating: 0, count: 8) + [0xFF, 0xD9]
        let error = #expect(throws: CodecError.self) { try Data(file).decoded() }
        #expect(error?.code == .damaged)
        #expect(error?.message == "JPEG is damaged: Invalid component ID 9 in SOS")
    }

    // MARK: - Warnings

    @Test(arguments: JPEGOddity.allCases)
    func `a file with all of its pixels decodes, whatever libjpeg warns of`(oddity: JPEGOddity) throws {
        let file = try JPEGFiles.make(Pictures.noise(64, 64))
        let (odd, whole) = (try oddity.added(to: file).decoded(), try file.decoded())
        #expect(odd.worstDistance(to: whole) == 0)
    }

    @Test func `a file that lacks only its end marker has all of its pixels`() throws {
        for sampling in [TJSAMP_444, TJSAMP_420, TJSAMP_GRAY] {
            for progressive in [false, true] {
                let file = try JPEGFiles.make(Pictures.noise(61, 47), sampling: sampling, progressive: progressive)
                let whole = try file.decoded()
                for end: [UInt8] in [[], [0xFF], [0], [0, 0], [0xD9], [0xFF, 0xFF], [0xFF, 0]] {
                    #expect(try (file.dropLast(2) + end).decoded().worstDistance(to: whole) == 0, "\(end)")
                }
                for count in 12...40 {
                    let error = #expect(throws: CodecError.self, "\(count)") { try file.dropLast(count).decoded() }
                    #expect(error?.code == .damaged)
                }
            }
        }
    }

    @Test func `a progressive file is damaged wherever it ends between two scans`() throws {
        let file = try JPEGFiles.make(Pictures.noise(40, 40), progressive: true)
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && [0xC4, 0xDA].contains(file[$0 + 1]) }
        #expect(scans.count > 10)
        for scan in scans {
            let error = #expect(throws: CodecError.self) { try file[..<scan].decoded() }
            #expect(error?.code == .damaged)
        }
    }

    @Test func `a progressive file without its last scan is damaged, even if it is cut between two`() throws {
        let file = try JPEGFiles.make(Pictures.noise(64, 64), progressive: true)
        let scan = try #require(file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xC4 })
        let error = #expect(throws: CodecError.self) { try file[..<scan].decoded() }
        #expect(error?.code == .damaged)
        #expect(try file[..<scan].decoded(limits: Self.accepting).size == PixelSize(width: 64, height: 64))
    }

    @Test func `a partial image of a whole file keeps its gray rows`() throws {
        let file = try JPEGFiles.make(Bitmap.drawn(32, 32) { _, y in y >= 16 ? .gray(128) : .black })
        let header = try #require(try JPEGDecoder().header(of: file))
        let size = DecodeSize(header.uprightSize, of: header.uprightSize)
        let part = try #require(try JPEGDecoder().decodePartial(file, header: header, scaledTo: size))
        #expect(part[16, 31] == .gray(128) && part[16, 0] == .black)
    }

    // MARK: - Pixels

    @Test(arguments: [1, 2, 4, 8])
    func `pixels are those of TurboJPEG at each scale`(eighths: Int) throws {
        let scale = JPEGScale(eighths: eighths)
        for (name, file) in try Self.files() {
            let segments = try #require(file.reading { JPEGSegments(ByteReader($0)) })
            let frame = try segments.supportedFrame()
            let size = scale.size(of: PixelSize(width: frame.width, height: frame.height))
            let rows = try Self.rows(of: file, size, scale, isCMYK: frame.isCMYK)
            #expect(try rows == Self.turboJPEG(file, size, isCMYK: frame.isCMYK), "\(name)")
        }
    }

    private static func files() throws -> [(String, Data)] {
        var files: [(String, Data)] = []
        for (width, height) in [(1, 1), (67, 45), (203, 117)] {
            let noise = try Pictures.noise(width, height)
            for sampling in [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411, TJSAMP_GRAY] {
                for progressive in [false, true] {
                    let file = try JPEGFiles.make(noise, sampling: sampling, quality: 80, progressive: progressive)
                    files.append(("\(noise), sampling \(sampling.rawValue), progressive: \(progressive)", file))
                }
            }
            let inks = try JPEGFiles.ycck(width, height, cyan: 200, magenta: 30, yellow: 90, black: 200)
            files += [("\(noise), YCCK", inks), ("\(noise), CMYK", try inks.removingAdobeMarker())]
        }
        return files
    }

    /// Decodes as a filter does that keeps only a few rows.
    private static func rows(
        of file: Data, _ size: PixelSize, _ scale: JPEGScale, isCMYK: Bool
    ) throws(CodecError) -> [UInt8] {
        try file.reading { (bytes) throws(CodecError) in
            var rows = try JPEGRows(bytes, size: size, scale: scale, isCMYK: isCMYK)
            let stride = 4 * size.width + 64
            let few = UnsafeMutableRawPointer.allocate(byteCount: JPEGRows.atOnce * stride, alignment: 16)
            defer { few.deallocate() }
            var pixels: [UInt8] = []
            while case let count = try rows.next(into: few, stride: stride), count > 0 {
                #expect(count == min(JPEGRows.atOnce, size.height - pixels.count / (4 * size.width)))
                for row in 0..<count {
                    pixels += UnsafeRawBufferPointer(start: few + row * stride, count: 4 * size.width)
                }
            }
            return pixels
        }
    }

    private static func turboJPEG(_ file: Data, _ size: PixelSize, isCMYK: Bool) throws -> [UInt8] {
        let handle = try #require(tjInitDecompress())
        defer { tjDestroy(handle) }
        var pixels = [UInt8](repeating: 0, count: size.bitmapBytes)
        let status = file.withUnsafeBytes {
            tjDecompress2(
                handle, $0.bindMemory(to: UInt8.self).baseAddress, UInt($0.count), &pixels, Int32(size.width), 0,
                Int32(size.height), (isCMYK ? TJPF_CMYK : TJPF_BGRA).rawValue, 0)
        }
        try #require(status == 0)
        return pixels
    }
}
