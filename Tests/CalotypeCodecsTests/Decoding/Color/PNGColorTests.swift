import CSpng
import CalotypeCodecs
import Foundation
import Testing

/// PNG, third edition, 4.3 and 11.3.2: the color space that an image declares for its samples.
@Suite struct PNGColorTests {
    private typealias Chunk = (name: String, content: Data)

    private let gray: Pixel = .gray(128)

    private func png(_ pixels: [Pixel], bitDepth: UInt8 = 8, _ chunks: [Chunk]) throws -> Data {
        let file = PNGFile(width: pixels.count, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA)
        return try file.encoded(pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }).addingPNGChunks(chunks)
    }

    private func seen(_ pixel: Pixel, _ chunks: [Chunk]) throws -> Pixel { try png([pixel], chunks).decoded()[0, 0] }

    // MARK: - The chunks

    private func gamma(_ gamma: Double) -> Chunk { ("gAMA", Data().bigEndian(Int(gamma * 100_000), bytes: 4)) }

    private func chromaticities(_ places: [Double]) -> Chunk {
        ("cHRM", places.reduce(Data()) { $0.bigEndian(Int(($1 * 100_000).rounded()), bytes: 4) })
    }

    private let sRGB: Chunk = ("sRGB", Data([0]))

    private func codePoints(_ primaries: UInt8, _ transfer: UInt8, matrix: UInt8 = 0, isFull: UInt8 = 1) -> Chunk {
        ("cICP", Data([primaries, transfer, matrix, isFull]))
    }

    /// Writes libspng's own chunk: the name, and the compressed profile.
    private func profiled(_ pixel: Pixel, _ profile: Data, _ chunks: [Chunk]) throws -> Pixel {
        let file = PNGFile(
            width: 1, height: 1, colorType: SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, profile: profile)
        return try file.encoded([pixel.red, pixel.green, pixel.blue, pixel.alpha]).addingPNGChunks(chunks)
            .decoded()[0, 0]
    }

    /// Chromaticities with sRGB's red and green exchanged.
    private let swapped = [0.3127, 0.3290, 0.30, 0.60, 0.64, 0.33, 0.15, 0.06]
    private let ordinary = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    // MARK: - Precedence

    @Test func `gAMA says how bright the numbers are`() throws {
        #expect(try seen(gray, [gamma(1)]).isClose(to: .gray(188), within: 1))
        #expect(try seen(gray, [gamma(1 / 1.8)]).green > 133)
        #expect(try seen(gray, [gamma(1 / 2.6)]).green < 124)
    }

    @Test(arguments: [0, 0.45455, 0.45, 0.46, 1 / 2.2, 42_949])
    func `a gAMA of 1/2.2 stands for sRGB, and one that makes no sense for nothing`(value: Double) throws {
        #expect(try seen(gray, [gamma(value)]) == gray)
    }

    @Test func `cHRM says which red is meant`() throws {
        let color = try seen(.red, [chromaticities(swapped), gamma(0.45455)])
        #expect(color.green > 200 && color.red < 60)
        #expect(try seen(.red, [chromaticities(ordinary)]) == .red)
        #expect(try seen(.red, [chromaticities([0, 0, 0, 0, 0, 0, 0, 0])]) == .red)
    }

    @Test func `gray with a gamma stays gray`() throws {
        let file = PNGFile(width: 1, height: 1, colorType: SPNG_COLOR_TYPE_GRAYSCALE)
        let seen = try file.encoded([128]).addingPNGChunks([gamma(1), chromaticities(swapped)]).decoded()[0, 0]
        #expect(seen.isClose(to: .gray(188), within: 1) && seen.blue == seen.red)
    }

    @Test func `sRGB overrides gAMA and cHRM`() throws {
        #expect(try seen(.red, [gamma(1), chromaticities(swapped), sRGB]) == .red)
    }

    @Test func `a profile overrides sRGB, gAMA and cHRM`() throws {
        #expect(
            try profiled(gray, Profiles.rgb(gamma: 1), [gamma(0.3), sRGB]).isClose(to: .gray(188), within: 1))
        #expect(try profiled(gray, Profiles.sRGB(), [gamma(1)]) == gray)
    }

    @Test func `cICP overrides all others`() throws {
        #expect(try profiled(.red, Profiles.swapped(), [codePoints(1, 13), gamma(1)]) == .red)
        #expect(try seen(gray, [sRGB, codePoints(1, 8)]).isClose(to: .gray(188), within: 1))
    }

    @Test(arguments: [1, 6, 14, 15] as [UInt8])
    func `the curve of cameras stands for sRGB's`(transfer: UInt8) throws {
        #expect(try seen(gray, [codePoints(1, transfer), gamma(1)]) == gray)
        #expect(try seen(gray, [codePoints(9, transfer)]).isClose(to: gray, within: 1))
    }

    @Test(arguments: [[200, 13, 0, 1], [1, 200, 0, 1], [1, 8, 1, 1], [1, 8, 0, 0], [1, 8, 0]] as [[UInt8]])
    func `a cICP that is not understood leaves it to the next`(content: [UInt8]) throws {
        let color = try seen(gray, [("cICP", Data(content)), gamma(1)])
        #expect(color.isClose(to: .gray(188), within: 1))
    }

    @Test func `a cICP whose checksum is wrong counts as not there`() throws {
        var file = try png([gray], [codePoints(1, 8)])
        let place = try #require(file.range(of: Data("cICP".utf8))).upperBound
        file[place] ^= 0x08
        #expect(try file.decoded()[0, 0] == gray)
    }

    // MARK: - Wide gamut and high dynamic range

    @Test func `wide gamut comes out in sRGB, white as white`() throws {
        for primaries in [9, 12] as [UInt8] {
            #expect(try seen(.white, [codePoints(primaries, 13)]).isClose(to: .white, within: 1))
            #expect(try seen(gray, [codePoints(primaries, 13)]).isClose(to: gray, within: 1))
            let red = try seen(Pixel(60, 60, 200), [codePoints(primaries, 13)])
            #expect(red.red > 205 && red.green < 55)
        }
        // Display P3's (200, 60, 60), by the formulas of CSS Color 4.
        let seen = try seen(Pixel(60, 60, 200), [codePoints(12, 13)])
        #expect(seen.isClose(to: Pixel(52, 42, 217), within: 3), "\(seen)")
    }

    /// Returns PQ's code for a luminance in cd/m².
    private func pq(_ light: Double) -> UInt8 {
        let power = pow(light / 10_000, 2610.0 / 16384)
        let stored = pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
        return UInt8((255 * stored).rounded())
    }

    @Test func `PQ is tone-mapped: shadows as they are, paper nearly white, highlights still apart`() throws {
        func mapped(_ light: Double) throws -> Int { Int(try seen(.gray(pq(light)), [codePoints(9, 16)]).green) }
        // A tenth of paper white is 89 in sRGB. PQ has no code for exactly that luminance.
        #expect(try abs(mapped(20.3) - 89) <= 3)
        #expect(try abs(mapped(0)) == 0)
        #expect(try (226...232).contains(mapped(203)))
        #expect(try mapped(203) < mapped(400) && mapped(400) < mapped(900) && mapped(1000) >= 254)
        #expect(try mapped(10_000) == 255)
    }

    @Test func `HLG is tone-mapped: its paper white lies where PQ's does`() throws {
        func mapped(_ stored: Double) throws -> Int {
            Int(try seen(.gray(UInt8((255 * stored).rounded())), [codePoints(9, 18)]).green)
        }
        // ITU-R BT.2408: 75 % of the signal is 203 cd/m² on a display of 1,000.
        #expect(try (226...232).contains(mapped(0.75)))
        #expect(try mapped(0) == 0 && mapped(1) >= 254)
        let ramp = try stride(from: 0.0, through: 1, by: 0.05).map { try mapped($0) }
        #expect(ramp == ramp.sorted())
    }

    @Test func `tone mapping keeps hues and transparency`() throws {
        let bright = try seen(Pixel(pq(100), pq(300), pq(900), 255), [codePoints(1, 16)])
        #expect(bright.red > bright.green && bright.green > bright.blue && bright.red >= 250)
        // The other channels are scaled like the brightest.
        #expect(bright.blue < 140)
        let veil = try seen(Pixel(pq(203), pq(203), pq(203), 128), [codePoints(9, 16)])
        #expect(veil.alpha == 128 && (112...118).contains(veil.green))
        #expect(try seen(Pixel(200, 200, 200, 0), [codePoints(9, 16)]) == .clear)
    }

    @Test func `a profile's rendering intent decides which of its tables is used`() throws {
        for (intent, level) in [(0, 60), (1, 89), (2, 119), (3, 89)] as [(Int, UInt8)] {
            let seen = try profiled(gray, Profiles.tables(intent: intent), [])
            #expect(seen.isClose(to: .gray(level), within: 3), "intent \(intent): \(seen)")
        }
    }
}
