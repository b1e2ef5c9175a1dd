import CSpng
import CalotypeCodecs
import CalotypeFuzzSupport
import CalotypeTesting
import Foundation
import Testing

/// The decoder, which inflates by ISA-L, beside libspng alone, which inflates by zlib.
@Suite struct PNGInflatingTests {
    /// Each color type with each of its depths up to 8: larger ones are in `PNGDecoderTests`.
    private static let kinds: [(colorType: Int, bitDepth: Int)] = [
        (0, 1), (0, 2), (0, 4), (0, 8), (2, 8), (3, 1), (3, 2), (3, 4), (3, 8), (4, 8), (6, 8),
    ]

    private static func form(_ kind: (colorType: Int, bitDepth: Int), width: Int = 37, height: Int = 23)
        -> PNGStreamFile
    {
        var form = PNGStreamFile(width: width, height: height, bitDepth: kind.bitDepth, colorType: kind.colorType)
        if kind.colorType == 3 {
            form.extra = [("PLTE", Data((0..<3 << kind.bitDepth).map { UInt8(truncatingIfNeeded: 37 * $0) }))]
        }
        return form
    }

    /// Returns this noise as libspng compresses it, without its alpha.
    private static func noise(_ width: Int, _ height: Int, isInterlaced: Bool = false) throws -> Data {
        let samples = try Pictures.noise(width, height).pixels.joined().flatMap {
            [$0.red & 31, $0.green & 15, $0.blue]
        }
        return try PNGFile(
            width: width, height: height, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: isInterlaced
        ).encoded(samples)
    }

    /// Expects the pixels or the error of libspng alone.
    private func expectAgreement(
        _ file: Data, _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // Chunks with a wrong checksum have tests of their own.
        let reference = SpngReference(file, checksSums: false)
        do {
            let bitmap = try file.decoded()
            #expect(reference.failure == nil, comment, sourceLocation: sourceLocation)
            expectPixels(bitmap, reference, rows: 0..<reference.height, comment, sourceLocation)
        } catch {
            #expect(error.code == .damaged, comment, sourceLocation: sourceLocation)
            #expect(
                error.message == reference.failure.map { "PNG is damaged: \($0)" }, comment,
                sourceLocation: sourceLocation)
        }
    }

    private func expectPixels(
        _ bitmap: Bitmap, _ reference: SpngReference, rows: Range<Int>, _ comment: Comment, _ location: SourceLocation
    ) {
        guard bitmap.width == reference.width, bitmap.height == reference.height else {
            Issue.record("\(bitmap.size), \(comment)", sourceLocation: location)
            return
        }
        let pixels = bitmap.pixels
        for y in rows {
            let row = (0..<bitmap.width).map { x in
                let place = 4 * (y * bitmap.width + x)
                let pixel = Pixel(reference.pixels[place + 2], reference.pixels[place + 1], reference.pixels[place])
                return pixel.premultiplied(reference.pixels[place + 3])
            }
            guard pixels[y] == row else {
                Issue.record("row \(y), \(comment)", sourceLocation: location)
                return
            }
        }
    }

    @Test(arguments: kinds.indices, [false, true])
    func `each kind has the pixels of libspng`(kind: Int, isInterlaced: Bool) throws {
        for (width, height) in [(1, 1), (2, 9), (3, 2), (5, 5), (37, 23), (130, 17)] {
            var form = Self.form(Self.kinds[kind], width: width, height: height)
            form.isInterlaced = isInterlaced
            // Small enough to be filters wherever a row of a pass begins. More of them than pixels are no error.
            var random = SplitMix(seed: UInt64(width))
            let passes = Data(
                (0..<2 * height * (form.rowBytes + 16)).map { _ in UInt8.random(in: 0...4, using: &random) })
            let own = isInterlaced ? passes : form.randomRows(seed: UInt64(width))
            expectAgreement(form.file([PNGStreamFile.stored(own, blockSize: 700)]), "\(width) × \(height)")
            guard !isInterlaced, [0, 2, 3].contains(form.colorType) else { continue }
            form.extra.append(("tRNS", Data([[0, 1], [], [0, 1, 0, 2, 0, 3], [0, 128]][form.colorType])))
            expectAgreement(form.file([PNGStreamFile.stored(own)]), "\(width) × \(height), transparent")
        }
    }

    @Test func `colors that one color makes transparent are those of libspng`() throws {
        for colorType in [0, 2] {
            var form = PNGStreamFile(width: 300, height: 1, colorType: colorType)
            form.extra = [("tRNS", Data(colorType == 0 ? [9, 7] : [9, 7, 9, 7, 9, 7]))]
            let row = Data([0]) + (0..<form.rowBytes).map { UInt8($0 / 2 % 9) }
            expectAgreement(form.file([PNGStreamFile.stored(row)]))
        }
    }

    @Test func `a stream is read wherever its chunks part it`() throws {
        let file = try Self.noise(19, 11)
        let stream = file.pngStream, form = PNGStreamFile(width: 19, height: 11, colorType: 2)
        let whole = try file.decoded()
        for place in 0...stream.count {
            let parts = [Data(stream.prefix(place)), Data(), Data(stream.dropFirst(place))]
            #expect(try form.file(parts).decoded().worstDistance(to: whole) == 0, "\(place)")
        }
        #expect(try form.file(stream.parts(of: 1)).decoded().worstDistance(to: whole) == 0)
    }

    @Test(arguments: [false, true])
    func `large images need more than one window and one block`(isInterlaced: Bool) throws {
        let file = try Self.noise(700, 400, isInterlaced: isInterlaced)
        for size in [file.count, 8192, 1000] {
            var form = PNGStreamFile(width: 700, height: 400, colorType: 2)
            form.isInterlaced = isInterlaced
            expectAgreement(form.file(file.pngStream.parts(of: size)), "\(size)")
        }
    }

    @Test(arguments: [false, true])
    func `a stream that ends too early has the error of libspng`(isInterlaced: Bool) throws {
        let stream = try Self.noise(16, 9, isInterlaced: isInterlaced).pngStream
        for count in 0..<stream.count {
            for size in [stream.count, 50] {
                var form = PNGStreamFile(width: 16, height: 9, colorType: 2)
                form.isInterlaced = isInterlaced
                expectAgreement(form.file(Data(stream.prefix(count)).parts(of: size)), "\(count) of \(stream.count)")
            }
        }
    }

    @Test func `more or fewer rows than announced are taken or refused as by libspng`() throws {
        let stream = try Self.noise(16, 9).pngStream
        for height in [1, 5, 8, 9, 10, 90] {
            expectAgreement(PNGStreamFile(width: 16, height: height, colorType: 2).file([stream]), "\(height) rows")
        }
        for width in [1, 15, 17, 1000] {
            expectAgreement(PNGStreamFile(width: width, height: 9, colorType: 2).file([stream]), "\(width) columns")
        }
    }

    @Test(arguments: [8, 16] as [UInt8], [false, true])
    func `wrong sums are no damage once all rows are there, as in Chromium`(depth: UInt8, isInterlaced: Bool) throws {
        let samples = (0..<16 * 9 * 3 * Int(depth) / 8).map { UInt8(truncatingIfNeeded: 37 &* $0) }
        let file = try PNGFile(
            width: 16, height: 9, colorType: SPNG_COLOR_TYPE_TRUECOLOR, bitDepth: depth, isInterlaced: isInterlaced
        ).encoded(samples)
        let (stream, whole) = (file.pngStream, try file.decoded())
        var form = PNGStreamFile(width: 16, height: 9, bitDepth: Int(depth), colorType: 2)
        form.isInterlaced = isInterlaced
        for byte in 1...4 {
            var wrong = stream
            wrong[wrong.endIndex - byte] ^= 0x10
            for end in 0...4 {
                let parts = form.file([wrong.dropLast(end), wrong.suffix(end)].map { Data($0) })
                #expect(try parts.decoded().worstDistance(to: whole) == 0, "\(end)")
            }
        }
        var wrong = form.file([stream])
        wrong[wrong.endIndex - 13] ^= 1
        #expect(try wrong.decoded().worstDistance(to: whole) == 0)
        #expect(try wrong.dropLast(12).decoded().worstDistance(to: whole) == 0)
        #expect(try wrong.decoded(ResizeTarget(width: 4)).width == 4)
        // The sum of a chunk behind the last row.
        wrong = form.file([stream, Data([1, 2, 3])])
        wrong[wrong.endIndex - 13] ^= 1
        #expect(try wrong.decoded().worstDistance(to: whole) == 0)
        // Chromium shows the rows above a wrong sum in front of the last row.
        let parts = stream.parts(of: stream.count / 2 + 1)
        wrong = form.file(parts)
        wrong[wrong.endIndex - 12 - parts[1].count - 12 - 1] ^= 1
        #expect(throws: CodecError.self) { try wrong.decoded() }
    }

    @Test func `streams with a wrong sum have the rows of libspng, wherever their chunks part them`() throws {
        let stream = try Self.noise(16, 9).pngStream
        let form = PNGStreamFile(width: 16, height: 9, colorType: 2)
        for byte in 1...4 {
            var wrong = stream
            wrong[wrong.endIndex - byte] ^= 0x10
            for end in 0...12 {
                expectAgreement(form.file([wrong.dropLast(end), wrong.suffix(end)].map { Data($0) }), "\(end)")
            }
        }
    }

    @Test func `damaged heads of a stream have the error of libspng`() throws {
        let stream = try Self.noise(16, 9).pngStream
        let form = PNGStreamFile(width: 16, height: 9, colorType: 2)
        // Another method, a larger window, a wrong sum, a dictionary.
        for head in [[0x77, 0x85], [0x88, 0x1C], [0x78, 0x02], [0x78, 0xBB], [0, 0]] as [[UInt8]] {
            expectAgreement(form.file([head + stream.dropFirst(2)]), "\(head)")
            expectAgreement(
                form.file([Data(), Data(head.prefix(1)), Data(head.suffix(1)) + stream.dropFirst(2)]), "\(head)")
        }
        for bits in 0..<8 as Range<UInt8> {
            expectAgreement(form.file([stream.prefix(2) + [bits] + stream.dropFirst(3)]))
        }
    }

    @Test func `damaged chunks of pixels have the error of libspng`() throws {
        let stream = try Self.noise(16, 9).pngStream
        let form = PNGStreamFile(width: 16, height: 9, colorType: 2)
        let file = form.file(stream.parts(of: stream.count / 3 + 1))
        let starts = file.indices.filter { file[$0...].starts(with: "IDAT".utf8) }
        #expect(starts.count == 3)
        for start in starts {
            for length in [[0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 1]]
                as [[UInt8]]
            {
                var other = file
                other.replaceSubrange(start - 4..<start, with: length)
                let error = #expect(throws: CodecError.self) { try other.decoded() }
                #expect(error?.code == .damaged, "\(length)")
            }
            // A wrong sum of the chunk before, and a chunk of another name in the middle.
            var other = file
            other[start - 5] ^= 1
            #expect(throws: CodecError.self) { try other.decoded() }
            other = file
            other.insert(contentsOf: PNGFile.chunk("tEXt", Data("a\0b".utf8)), at: start - 4)
            expectAgreement(other, "text at \(start)")
        }
        var wrongLast = file
        wrongLast[wrongLast.endIndex - 13] ^= 1
        expectAgreement(wrongLast)
        expectAgreement(form.file([stream, Data([1, 2, 3]), Data()]))
    }

    @Test func `damaged streams never give other pixels than libspng`() throws {
        let file = try Self.noise(30, 20)
        var random = SplitMix(seed: 36)
        for run in 0..<400 {
            var stream = file.pngStream
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                stream[Int.random(in: stream.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let damaged = PNGStreamFile(width: 30, height: 20, colorType: 2).file([stream])
            let reference = SpngReference(damaged, checksSums: false)
            guard let bitmap = try? damaged.decoded() else { continue }
            expectPixels(bitmap, reference, rows: 0..<20, "\(run)", #_sourceLocation)
        }
    }

    @Test(arguments: [false, true])
    func `a file that is cut short has the rows that libspng finds`(isInterlaced: Bool) throws {
        let file = try Self.noise(24, 20, isInterlaced: isInterlaced)
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        let start = try #require(file.range(of: Data("IDAT".utf8))).upperBound
        for count in start..<file.count - 16 {
            // libspng wants a whole chunk.
            let closed = file.prefix(start - 8) + PNGFile.chunk("IDAT", file[start..<count])
            let reference = SpngReference(closed, checksSums: false)
            guard let part = try? file.prefix(count).decoded(limits: limits) else {
                #expect(reference.rowCount == 0, "\(count)")
                continue
            }
            guard !isInterlaced else { continue }
            // ISA-L keeps back up to two bytes in front of a cut.
            let rows = part.pixels.count { $0[0].alpha == 255 }
            #expect([0, 1].contains(reference.rowCount - rows), "\(count)")
            expectPixels(part, reference, rows: 0..<rows, "\(count)", #_sourceLocation)
        }
    }

    @Test func `the memory of the inflater is part of a thumbnail's cost`() throws {
        let file = try Self.noise(16, 9)
        let header = try #require(try PNGDecoder().header(of: file))
        let size = DecodeSize(PixelSize(width: 4, height: 2), of: PixelSize(width: 16, height: 9))
        // A window, its look-ahead and the tables of codes.
        #expect(PNGDecoder().workingBytes(for: header, scaledTo: size) > 80_000)
    }
}
