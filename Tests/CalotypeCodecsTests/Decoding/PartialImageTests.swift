import CSpng
import CalotypeCodecs
import CTurboJPEG
import Foundation
import Testing

/// `DecodeLimits.acceptsPartialImages`: the decoded part of truncated files.
@Suite struct PartialImageTests {
    private static let accepting: DecodeLimits = {
        var limits = DecodeLimits()
        limits.acceptsPartialImages = true
        return limits
    }()

    /// Images of noise, in which every row takes an equal share of the bytes.
    static let files: [(name: String, data: Data)] = {
        guard let noise = try? Pictures.noise(200, 160) else { return [] }
        let samples = noise.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let interlaced = PNGFile(width: 200, height: 160, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: true)
        let files: [(String, Data?)] = [
            ("JPEG", try? JPEGFiles.make(noise)), ("subsampled JPEG", try? JPEGFiles.make(noise, sampling: TJSAMP_420)),
            ("turned JPEG", try? JPEGFiles.make(noise).addingEXIF(3)), ("PNG", try? noise.encoded(as: .png)),
            ("interlaced PNG", try? interlaced.encoded(samples)),
            ("lossy WebP", try? noise.encoded(as: .webp(quality: 90))),
            ("lossless WebP", try? noise.encoded(as: .webpLossless)),
            ("animated WebP", try? WebPFiles.animation(width: 200, height: 160, [(0, 0, noise), (0, 0, noise)])),
        ]
        return files.compactMap { name, data in data.map { (name, $0) } }
    }()

    @Test func `there is a file of each kind`() {
        #expect(Self.files.count == 8)
    }

    @Test(arguments: files.map(\.name))
    func `without the option a file cut short is damaged`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        let error = #expect(throws: CodecError.self) { try file.prefix(file.count * 2 / 3).decoded() }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: ["JPEG", "subsampled JPEG", "PNG", "lossy WebP", "lossless WebP"])
    func `the upper rows are there as in the whole image, the lower ones are transparent`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        let whole = try file.decoded()
        let part = try file.prefix(file.count / 2).decoded(limits: Self.accepting)
        #expect(part.size == whole.size && part.hasAlpha)
        // Blocks span 16 rows, and the filter of a codec a few more.
        for y in 0..<40 {
            for x in 0..<whole.width { #expect(part[x, y].isClose(to: whole[x, y], within: 1), "\(x), \(y)") }
        }
        #expect(part.pixels[120...].joined().allSatisfy { $0.alpha == 0 })
        #expect(part.pixels.joined().allSatisfy { $0.alpha == 0 || $0.alpha == 255 })
    }

    @Test func `a cut within a checksum of a PNG adds no pixels`() throws {
        let file = try #require(Self.files.first { $0.name == "PNG" }).data
        let whole = try file.decoded()
        // The same pixels in three chunks.
        let (head, name) = (8 + 25, Data("IDAT".utf8))
        var (stream, place) = (Data(), head)
        while place + 8 < file.count {
            let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if file[place + 4..<place + 8] == name { stream += file[place + 8..<place + 8 + length] }
            place += 12 + length
        }
        let third = stream.count / 3
        let parts = [stream.prefix(third), stream.dropFirst(third).prefix(third), stream.dropFirst(2 * third)]
        var split = file.prefix(head)
        for part in parts {
            split += PNGFile.chunk("IDAT", Data(part))
            let end = split.count
            for cut in [end, end - 1, end - 2, end - 3, end - 4, end - 5] {
                let partial = try split.prefix(cut).decoded(limits: Self.accepting)
                #expect(partial.pixels.joined().contains { $0.alpha == 255 }, "\(cut)")
                for (row, expected) in zip(partial.pixels, whole.pixels) where row[0].alpha > 0 {
                    #expect(row == expected, "\(cut)")
                }
            }
        }
    }

    @Test func `an image that stands on its head misses its top`() throws {
        let file = try #require(Self.files.first { $0.name == "turned JPEG" }).data
        let part = try file.prefix(file.count / 2).decoded(limits: Self.accepting)
        #expect(part.pixels[..<40].joined().allSatisfy { $0.alpha == 0 })
        #expect(part.pixels[120...].joined().allSatisfy { $0.alpha == 255 })
    }

    @Test func `an interlaced image shows blocks where its pixels are missing`() throws {
        let drawn = try Pictures.gradient(64, 64)
        let samples = drawn.pixels.joined().flatMap { [$0.red, $0.green, $0.blue] }
        let file = try PNGFile(width: 64, height: 64, colorType: SPNG_COLOR_TYPE_TRUECOLOR, isInterlaced: true)
            .encoded(samples)
        var seen: Set<Int> = []
        for cut in stride(from: 200, to: file.count - 16, by: 40) {
            guard let part = try? file.prefix(cut).decoded(limits: Self.accepting) else { continue }
            // A decoded pixel equals the image's; a missing one equals the image's at some corner of its block.
            for y in 0..<64 {
                for x in 0..<64 where part[x, y].alpha > 0 {
                    let origins = [1, 2, 4, 8].flatMap { w in [1, 2, 4, 8].map { (x & ~(w - 1), y & ~($0 - 1)) } }
                    #expect(origins.contains { part[x, y] == drawn[$0.0, $0.1] })
                }
            }
            seen.insert(part.pixels.joined().filter { $0.alpha > 0 }.count)
        }
        #expect(seen.contains(64 * 64), "the first pass covers all of it")
    }

    @Test(arguments: files.map(\.name))
    func `a thumbnail of a part has the size asked for`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        let part = try file.prefix(file.count * 2 / 3).decoded(ResizeTarget(width: 50), limits: Self.accepting)
        #expect(part.size == PixelSize(width: 50, height: 40) && part.hasAlpha)
        #expect(part.pixels.joined().contains { $0.alpha == 255 })
    }

    @Test func `an animation whose first frame is there shows it whole`() throws {
        let file = try #require(Self.files.first { $0.name == "animated WebP" }).data
        let part = try file.prefix(file.count - 40).decoded(limits: Self.accepting)
        #expect(try part.worstDistance(to: file.decoded()) == 0)
    }

    @Test func `a middle gray that belongs to the image stays, apart from its last rows`() throws {
        let drawn = try Bitmap.drawn(64, 160) { x, y in x >= 32 ? .gray(128) : .gray(UInt8(x * y & 255)) }
        let file = try JPEGFiles.make(drawn)
        let part = try file.prefix(file.count / 2).decoded(limits: Self.accepting)
        #expect(part[60, 10] == .gray(128) && part[60, 150].alpha == 0)
    }

    @Test(arguments: files.map(\.name))
    func `a whole file decodes as without the option`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        let (strict, lenient) = (try file.decoded(), try file.decoded(limits: Self.accepting))
        #expect(lenient.worstDistance(to: strict) == 0 && lenient.hasAlpha == strict.hasAlpha)
    }

    @Test(arguments: files.map(\.name))
    func `where nothing of the pixels is there, it is damaged all the same`(name: String) throws {
        let file = try #require(Self.files.first { $0.name == name }).data
        for count in [24, 40] {
            #expect(throws: CodecError.self) { try file.prefix(count).decoded(limits: Self.accepting) }
        }
    }
}
