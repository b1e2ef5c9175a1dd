import CalotypeCodecs
import CalotypeTesting
import Foundation
import Testing

/// Promises of all formats that store rows of pixels: BMP, ICO, TGA and PNM.
@Suite struct RowFileTests {
    private static let size = PixelSize(width: 40, height: 24)
    private static let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]

    /// Returns the number of the color of a pixel of `Pictures.quarters`.
    private static func quarter(_ x: Int, _ y: Int) -> Int { (x < 20 ? 0 : 1) + (y < 12 ? 0 : 2) }

    private static func rgb(_ x: Int, _ y: Int) -> Int { [0xFF0000, 0xFF00, 0xFF, 0xFFFFFF][quarter(x, y)] }

    private static func bmp(_ depth: Int) -> SampleBMP {
        SampleBMP(width: 40, height: 24, depth: depth, colors: depth > 8 ? [] : colors)
    }

    private static func runs(_ bits: Int) -> Data {
        var file = bmp(bits)
        file.compression = bits == 8 ? 1 : 2
        let rows = (0..<24).reversed().map { y -> [UInt8] in
            let (left, right) = (UInt8(quarter(0, y)), UInt8(quarter(39, y)))
            return [20, bits == 8 ? left : left * 17, 20, bits == 8 ? right : right * 17]
        }
        return file.encoded(content: Data(rows.joined(separator: [0, 0])) + [0, 1])
    }

    /// Files of `Pictures.quarters`.
    static let files: [(name: String, format: String, data: Data)] = {
        guard let drawn = try? Pictures.quarters(40, 24) else { return [] }
        let words = (0..<960).map { place in
            colors[quarter(place % 40, place / 40)].map(String.init).joined(separator: " ")
        }
        let bytes = (0..<960).flatMap { place in colors[quarter(place % 40, place / 40)] }
        let indices = SampleTGA(
            width: 40, height: 24, kind: 1, depth: 8, colors: [0xFF0000, 0xFF00, 0xFF, 0xFFFFFF], colorDepth: 24)
        var packed = indices
        packed.kind = 9
        return [
            ("BMP", "bmp", bmp(24).encoded(rgb)), ("BMP of 32 bits", "bmp", bmp(32).encoded(rgb)),
            ("BMP of 8 bits", "bmp", bmp(8).encoded(quarter)), ("BMP of 2 bits", "bmp", bmp(2).encoded(quarter)),
            ("BMP of run lengths", "bmp", runs(8)), ("BMP of run lengths of 4 bits", "bmp", runs(4)),
            ("ICO", "ico", SampleIcon.file([drawn])),
            ("TGA", "tga", SampleTGA(width: 40, height: 24, flags: 0x20).encoded(rgb)),
            ("TGA from the bottom", "tga", SampleTGA(width: 40, height: 24).encoded(rgb)),
            ("TGA of run lengths", "tga", SampleTGA(width: 40, height: 24, kind: 10).encoded(rgb)),
            ("TGA with a palette", "tga", indices.encoded(quarter)),
            ("TGA of run lengths with a palette", "tga", packed.encoded(quarter)),
            ("PNM", "pnm", Data("P6\n# a comment\n40 24\n255\n".utf8) + bytes),
            ("PNM as text", "pnm", Data("P3 40 24 255\n\(words.joined(separator: "\n"))".utf8)),
            ("PAM", "pnm", Data("P7\nWIDTH 40\nHEIGHT 24\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n".utf8) + bytes),
        ]
    }()

    private static func file(_ name: String) throws -> Data { try #require(files.first { $0.name == name }).data }

    @Test(arguments: files.indices)
    func `every pixel is as it was written, and a thumbnail is that of the whole image`(index: Int) throws {
        let (_, format, file) = Self.files[index]
        let header = try DecoderRegistry.standard.header(of: file)
        #expect(header.format.rawValue == format && header.uprightSize == Self.size)
        let whole = try file.decoded()
        #expect(try whole.worstDistance(to: Pictures.quarters(40, 24)) == 0)
        let expected = try whole.scaled(to: PixelSize(width: 15, height: 9))
        #expect(try file.decoded(ResizeTarget(width: 15)).worstDistance(to: expected) == 0)
        let enlarged = try file.decoded(ResizeTarget(width: 80, upscales: true))
        #expect(enlarged.size == PixelSize(width: 80, height: 48))
    }

    @Test(arguments: files.map(\.name))
    func `a file that is cut short is damaged, wherever it is cut`(name: String) throws {
        let file = try Self.file(name)
        // The mark of the end may be missing, and the last digit of a text.
        let end = name.contains("text") ? file.count - 2 : name.contains("BMP of run") ? file.count - 2 : file.count
        for count in Array(0..<60) + Array(stride(from: 60, to: end, by: 7)) + [end - 1] {
            let error = #expect(throws: CodecError.self, "\(count) of \(file.count)") {
                try file.prefix(count).decoded()
            }
            let expected: [CodecError.Code] = count < 18 ? [.damaged, .notAnImage] : [.damaged]
            #expect(expected.contains(error?.code ?? .cancelled), "\(count): \(error?.message ?? "")")
        }
        #expect(try file.prefix(end).decoded().size == Self.size)
    }

    @Test(arguments: files.map(\.name))
    func `limits hold before a pixel is decoded, and permit exactly what they name`(name: String) throws {
        let file = try Self.file(name)
        for (pixels, side, isRead) in [(960, 40, true), (961, 41, true), (959, 40, false), (960, 39, false)] {
            var limits = DecodeLimits()
            (limits.maxPixels, limits.maxDimension) = (pixels, side)
            if isRead {
                #expect(try file.decoded(limits: limits).size == Self.size)
            } else {
                let error = #expect(throws: CodecError.self) { try file.decoded(limits: limits) }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test func `the cost of a thumbnail is some rows, and that of the image its bitmap`() throws {
        let head = Data("P6 8000 6000 255\n".utf8)
        let cost = try DecoderRegistry.standard.plan(for: head, target: ResizeTarget(width: 400)).cost
        #expect(cost > 400 * 300 * 4 && cost < 2_000_000)
        var limits = DecodeLimits()
        limits.maxBitmapBytes = nil
        let full = try DecoderRegistry.standard.plan(for: head, limits: limits).cost
        #expect(full >= 8000 * 6000 * 4 && full < 8000 * 6000 * 4 + 500_000)
    }

    @Test func `a header's numbers that overflow when they are multiplied are refused`() throws {
        let most = Int(Int32.max)
        let bmps = [1, 8, 32].flatMap { depth in
            [(most, most), (most, 1), (1, most), (-1, 1), (1, 1 << 31)].map { width, height in
                SampleBMP(width: width, height: height, depth: depth).encoded(content: Data(count: 64))
            }
        }
        let icons = bmps.map { SampleIcon.file([(16, $0.dropFirst(14))]) }
        let pnms = (1...6).flatMap { kind in
            ["4294967295 4294967295", "99999999999999999999 1", "1 2147483647"].map {
                Data("P\(kind) \($0) 65535\n1".utf8)
            }
        }
        let pam = Data("P7\nWIDTH 9999999999\nHEIGHT 9999999999\nDEPTH 4\nMAXVAL 65535\nENDHDR\n".utf8)
        let tga = SampleTGA(width: 65_535, height: 65_535).head
        for file in bmps + icons + pnms + [pam, tga] {
            var limits = DecodeLimits()
            for decoders in [DecoderRegistry.standard, DecoderRegistry([RowFileDecoder()])] {
                let error = #expect(throws: CodecError.self) { try decoders.decode(file, limits: limits) }
                #expect([.tooLarge, .damaged].contains(error?.code), "\(error?.message ?? "")")
                (limits.maxPixels, limits.maxDimension) = (.max, .max)
            }
        }
    }

    @Test func `a header of a few bytes that announces gigabytes costs nothing`() throws {
        for bomb in ["P6 60000 60000 255\n", "P3 9000 9000 255\n", "P1 9000 9000\n1"] {
            let error = #expect(throws: CodecError.self) { try Data(bomb.utf8).decoded() }
            #expect(error?.code == .damaged || error?.code == .tooLarge)
        }
    }

    @Test(arguments: files.map(\.name))
    func `changed bytes give an image of the announced size or a typed error`(name: String) throws {
        let file = try Self.file(name)
        var random = SplitMix(seed: 7)
        var limits = DecodeLimits()
        limits.maxPixels = 20_000
        for _ in 0..<300 {
            var broken = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                broken[Int.random(in: 0..<min(broken.count, 90), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do throws(CodecError) {
                let plan = try DecoderRegistry([RowFileDecoder()]).plan(for: broken, limits: limits)
                #expect(try plan.decode().size == plan.outputSize)
            } catch {
                #expect([.notAnImage, .damaged, .tooLarge, .unsupported].contains(error.code), "\(error)")
            }
        }
    }

    @Test func `a worker decodes the same pixels`() throws {
        let workers = DecoderWorkers(limit: 1)
        let (apart, here) = (
            DecoderRegistry.standard.isolated(in: workers), DecoderRegistry.standard.isolated(by: .off)
        )
        for (name, _, file) in Self.files {
            #expect(try apart.header(of: file) == here.header(of: file), "\(name)")
            #expect(try apart.decode(file).worstDistance(to: here.decode(file)) == 0, "\(name)")
        }
        workers.close()
    }
}
