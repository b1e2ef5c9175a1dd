import CTurboJPEG
import CalotypeTesting
@testable import CalotypeCodecs
import Foundation
import Testing

@Suite struct JPEGEncoderTests {
    /// Noise at the best quality, in which each coefficient counts.
    @Test(arguments: [false, true])
    func `each size up to 70 decodes to within the quantization`(isProgressive: Bool) throws {
        for side in 1...70 {
            let noise = try Pictures.noise(side, 71 - side, seed: UInt64(side))
            let file = try noise.encoded(as: .jpeg(quality: 100, isProgressive: isProgressive, keepsColors: true))
            let distance = try #require(file.decoded().worstDistance(to: noise), "\(side)")
            #expect(distance <= 4, "\(side)")
        }
    }

    @Test func `each size up to 70 decodes in 4:2:0, to its colors`() throws {
        for side in 1...70 {
            let flat = try Bitmap.drawn(71 - side, side) { _, _ in Pixel(40, 90, 200) }
            let file = try flat.encoded(as: .jpeg(quality: 75, isProgressive: false, keepsColors: false))
            let distance = try #require(file.decoded().worstDistance(to: flat), "\(side)")
            #expect(distance <= 6, "\(side)")
        }
    }

    @Test func `each size up to 70 decodes to its transparent pixels over white`() throws {
        for side in 1...70 {
            let clear = try Bitmap(width: side, height: 71 - side, hasAlpha: true) { pixels, stride in
                for y in 0..<71 - side {
                    for x in 0..<side {
                        let gray = UInt32((x * 37 + y * 11) % 256) &* 0x0101_0101
                        pixels.storeBytes(of: gray, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                    }
                }
            }
            let file = try clear.encoded(as: .jpeg(quality: 100, isProgressive: false, keepsColors: true))
            let distance = try #require(
                file.decoded().worstDistance(to: clear.applying(.background(.white))), "\(side)")
            #expect(distance <= 4, "\(side)")
        }
    }

    @Test(arguments: [false, true])
    func `scans of increasing detail hold the same pixels`(keepsColors: Bool) throws {
        for (width, height) in [(1, 1), (17, 9), (40, 33), (130, 70)] {
            let photograph = SamplePhotos.bitmap(width: width, height: height)
            let files = try [false, true].map {
                try photograph.encoded(as: .jpeg(quality: 60, isProgressive: $0, keepsColors: keepsColors))
            }
            #expect(try files[0].decoded().worstDistance(to: files[1].decoded()) == 0, "\(width) × \(height)")
        }
    }

    @Test func `a wide image decodes to its end`() throws {
        let wide = try Pictures.gradient(8192, 20)
        let decoded = try wide.encoded(as: .jpeg()).decoded()
        #expect(try #require(decoded.worstDistance(to: wide)) < 24)
    }

    @Test func `equal images give equal bytes, on any thread`() async throws {
        let photograph = SamplePhotos.bitmap(width: 300, height: 210)
        let files = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { @concurrent in try photograph.encoded(as: .jpeg()) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(files.count == 1)
    }

    /// With and without AVX2, in debug and release builds: both run these tests.
    @Test func `the bytes of an image are the same on all processors`() throws {
        let noise = try Pictures.noise(75, 53)
        let sums = try [(false, false), (true, false), (false, true)].map { isProgressive, keepsColors in
            try noise.encoded(as: .jpeg(quality: 70, isProgressive: isProgressive, keepsColors: keepsColors))
                .reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        }
        #expect(sums == [17_495_538_787_394_707_288, 9_695_379_430_135_494_864, 15_165_398_545_285_792_744])
    }

    @Test func `luma and both colors have tables of their own, and colors share one in a small file`() throws {
        #expect(try tables(of: SamplePhotos.bitmap(width: 200, height: 100).encoded(as: .jpeg())) == [0, 1, 2])
        #expect(try tables(of: SamplePhotos.bitmap(width: 199, height: 100).encoded(as: .jpeg())) == [0, 1, 1])
    }

    @Test func `an image that would lose its colors keeps them, and a photograph does not need that`() throws {
        let stripes = try Bitmap.drawn(64, 64) { x, _ in x % 2 == 0 ? .red : .blue }
        #expect(try stripes.encoded(as: .jpeg(quality: 60)).decoded().isClose(to: stripes, within: 60))
        #expect(try sampling(of: stripes.encoded(as: .jpeg(quality: 60))) == 0x11)
        #expect(try sampling(of: SamplePhotos.bitmap().encoded(as: .jpeg(quality: 60))) == 0x22)
    }

    @Test func `chroma of half resolution is fitted to how decoders enlarge it`() throws {
        // A soft edge between colors of equal luma.
        let edge = try Bitmap.drawn(96, 96) { x, y in
            let part = min(max(x + y / 2 - 60, 0), 8)
            return Pixel(128, UInt8(80 + 5 * part), UInt8(190 - 10 * part))
        }
        let ours = try edge.encoded(as: .jpeg(quality: 100, isProgressive: false, keepsColors: false)).decoded()
        let mean = try JPEGFiles.make(edge, sampling: TJSAMP_420, quality: 100).decoded()
        #expect(ours.sumOfDistances(to: edge) < mean.sumOfDistances(to: edge))
    }

    @Test func `a file takes fewer bytes than libjpeg's at equal quality`() throws {
        let photograph = SamplePhotos.bitmap()
        let written = try JPEGFiles.make(photograph, sampling: TJSAMP_420, quality: 80)
        #expect(try photograph.encoded(as: .jpeg(quality: 80)).count < written.count * 85 / 100)
    }

    @Test func `a quality of 100 divides by nothing`() {
        let best = JPEGTables(quality: 100, isSmall: false)
        #expect((best.subsampled + best.full).allSatisfy { $0.allSatisfy { $0 == 1 } })
        for quality in 2...100 {
            let (better, worse) = (
                JPEGTables(quality: quality, isSmall: false), JPEGTables(quality: quality - 1, isSmall: false)
            )
            for (finer, coarser) in zip(better.subsampled + better.full, worse.subsampled + worse.full) {
                #expect(zip(finer, coarser).allSatisfy { $0 <= $1 }, "\(quality)")
            }
        }
    }

    // MARK: - Parts of a file

    private func segment(_ code: UInt8, of file: Data) throws -> Data {
        let start = try #require(file.range(of: Data([0xFF, code]))).upperBound
        return file.dropFirst(start + 2).prefix(Int(file[start]) << 8 | Int(file[start + 1]))
    }

    /// The index of each component's quantization table.
    private func tables(of file: Data) throws -> [UInt8] {
        let frame = try Data(segment(0xC0, of: file))
        return (0..<3).map { frame[6 + 3 * $0 + 2] }
    }

    /// The sampling factors of luma.
    private func sampling(of file: Data) throws -> UInt8 { try Data(segment(0xC0, of: file))[7] }
}

@Suite struct HuffmanCodeTests {
    @Test func `no code is longer than 16 bits, or consists of ones only`() throws {
        // Without a limit, counts in such a row have codes of up to 39 bits.
        var counts: [UInt32] = [1, 1]
        while counts.count < 40 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
        let code = try #require(made(counts))
        #expect(code.symbols.count == 40 && code.symbols.first == 39)
        #expect(share(code) < 1)
    }

    @Test func `the shortest code of equal counts is even`() throws {
        let code = try #require(made(Array(repeating: 9, count: 255)))
        #expect(code.lengths[7] == 255 && code.symbols == (0..<255).map { UInt8($0) })
        #expect(share(code) == 255.0 / 256)
    }

    @Test func `a single symbol has a code of one bit, and none has no code`() throws {
        #expect(try #require(made([0, 7])).lengths == [1] + Array(repeating: 0, count: 15))
        #expect(made([0, 0]) == nil)
    }

    private func made(_ counts: [UInt32]) -> HuffmanCode? {
        (counts + Array(repeating: 0, count: 256 - counts.count)).withUnsafeBufferPointer { HuffmanCode($0) }
    }

    /// How much of all sequences of bits begin with a code.
    private func share(_ code: HuffmanCode) -> Double {
        code.lengths.enumerated().reduce(0) { $0 + Double($1.element) / Double(2 << $1.offset) }
    }
}

extension Bitmap {
    fileprivate func isClose(to other: Bitmap, within tolerance: Int) -> Bool {
        worstDistance(to: other).map { $0 <= tolerance } ?? false
    }

    fileprivate func sumOfDistances(to other: Bitmap) -> Int {
        zip(pixels.joined(), other.pixels.joined()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
