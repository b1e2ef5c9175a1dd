import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

@Suite struct BlurHashTests {
    @Test func `a published hash decodes to the published pixels`() throws {
        let hash = try #require(BlurHash("eBB4=;054UK$=402%s%|r^O%06#?*7RijMxGpYMzniVNT@rFN3#=Kt"))
        let bitmap = try hash.decode(PixelSize(width: 50, height: 50))
        #expect(bitmap[0, 0] == Pixel(0x00, 0x5F, 0x00))
        #expect(bitmap[30, 30] == Pixel(0x6D, 0xB7, 0x99))
    }

    @Test func `a published hash has the published average color`() throws {
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        #expect(hash.averageColor.description == "#979695")
    }

    @Test(arguments: [(4, 3), (1, 1), (9, 9), (3, 5)])
    func `encoding is what the formula says, and decoding brings back what was encoded`(across: Int, down: Int) throws {
        let image = try Pictures.gradient(30, 20)
        let hash = BlurHash(sampling: image, across: across, down: down)
        #expect(hash.description == Formula.blurHash(image, across, down))
        #expect(BlurHash(hash.description) == hash)
        guard across > 1, down > 1 else { return }
        let decoded = try hash.decode(image.size)
        #expect(try #require(decoded.worstDistance(to: image)) < 90)
    }

    @Test func `a large image is encoded from a small copy`() throws {
        let hash = try BlurHash(Pictures.gradient(640, 400))
        let small = try BlurHash(Pictures.gradient(64, 40))
        #expect(hash.averageColor.red.distance(to: small.averageColor.red).magnitude < 4)
    }

    @Test func `decoding is at most 32 pixels a side`() throws {
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        #expect(try hash.bitmap(PixelSize(width: 4000, height: 16)).size == PixelSize(width: 32, height: 16))
        #expect(try hash.bitmap(PixelSize(width: 0, height: -3)).size == PixelSize(width: 1, height: 1))
    }

    @Test(arguments: [
        "", "L", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj", "LEHV6nWB2yk8pyo0adR*.7kCM\"nj",
        "~EHV6n", "00~~~~", "éé",
    ])
    func `a text that is no hash is none`(text: String) {
        #expect(BlurHash(text) == nil)
    }
}

@Suite struct ThumbHashTests {
    @Test func `published hashes have the published colors and shapes`() throws {
        let flower = try #require(ThumbHash(base64: "k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ"))
        #expect(flower.averageColor == ImageColor(red: 123, green: 87, blue: 20))
        #expect(abs(flower.aspectRatio - 0.714285731) < 0.0001)
        let tux = try #require(ThumbHash(Data(hex: "A1198A1C02383A25D727F68B971FF7F9717F80376758987906")))
        #expect(tux.averageColor == ImageColor(red: 157, green: 145, blue: 98, alpha: 136))
        #expect(abs(tux.aspectRatio - 0.8) < 0.0001)
    }

    @Test func `published hashes decode to their published sizes`() throws {
        let sunrise = try #require(ThumbHash(base64: "1QcSHQRnh493V4dIh4eXh1h4kJUI")).bitmap()
        #expect(sunrise.size == PixelSize(width: 23, height: 32) && !sunrise.hasAlpha)
        let other = try #require(ThumbHash(base64: "3OcRJYB4d3h/iIeHeEh3eIhw+j3A")).bitmap()
        #expect(other.size == PixelSize(width: 32, height: 23))
    }

    @Test(arguments: [
        "k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ", "oRmKHAI4OiXXJ/aLlx/3+XF/gDdnWJh5Bg==", "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    ])
    func `decoding is what the formula says`(base64: String) throws {
        let hash = try #require(ThumbHash(base64: base64))
        let bitmap = try hash.bitmap()
        #expect(try #require(bitmap.worstDistance(to: Formula.thumbHash(hash.data, bitmap.size))) <= 1)
    }

    @Test func `decoding brings back what was encoded, transparency included`() throws {
        for image in [try Pictures.gradient(32, 20), try Pictures.gradient(20, 32), try Pictures.veil(32, 32)] {
            let hash = try ThumbHash(image)
            #expect(ThumbHash(hash.data) == hash)
            let decoded = try hash.bitmap()
            #expect(decoded.hasAlpha == image.hasAlpha)
            let (color, expected) = (decoded.averageColor, image.averageColor)
            for (channel, wanted) in [
                (color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue),
                (color.alpha, expected.alpha),
            ] {
                #expect(abs(Int(channel) - Int(wanted)) < 24, "\(color), \(expected)")
            }
        }
    }

    @Test func `colors that exceed their alpha, which no image has, count as their alpha`() throws {
        func bitmap(_ color: UInt8) throws -> Bitmap {
            try Bitmap.drawn(32, 32, hasAlpha: true) { x, y in
                Pixel(x < 16 ? color : 1, y < 16 ? color : 0, color, x == 0 ? 1 : 5)
            }
        }
        #expect(try ThumbHash(bitmap(255)) == ThumbHash(bitmap(200)))
        // Far out of range: this number of the hash took more than its bits.
        let red = try Bitmap.drawn(8, 8, hasAlpha: true) { _, _ in Pixel(0, 0, 255, 1) }
        #expect(try ThumbHash(red) == ThumbHash(Bitmap.drawn(8, 8, hasAlpha: true) { _, _ in Pixel(0, 0, 1, 1) }))
        let clear = try Bitmap.drawn(8, 8, hasAlpha: true) { _, _ in Pixel(255, 255, 255, 0) }
        #expect(try ThumbHash(clear).averageColor.alpha == 0)
    }

    @Test(arguments: [0, 4, 5, 10]) func `too few bytes are no hash`(count: Int) {
        #expect(ThumbHash(Data(repeating: 0xFF, count: count)) == nil)
    }

    @Test func `any bytes decode to some small bitmap or are no hash`() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let hash = ThumbHash(Data(bytes)) else { continue }
            let bitmap = try hash.bitmap()
            #expect(max(bitmap.width, bitmap.height) == 32)
        }
    }
}

@Suite struct PlaceholderTests {
    @Test func `each kind gives a small bitmap, and a text that is no hash none`() throws {
        let blurred = try #require(ImagePlaceholder.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj", aspectRatio: 2).bitmap)
        #expect(blurred.size == PixelSize(width: 32, height: 16))
        #expect(ImagePlaceholder.thumbHash("1QcSHQRnh493V4dIh4eXh1h4kJUI").bitmap != nil)
        #expect(ImagePlaceholder.color(ImageColor(red: 9, green: 8, blue: 7)).bitmap?.pixels == [[Pixel(7, 8, 9)]])
        #expect(ImagePlaceholder.blurHash("no").bitmap == nil && ImagePlaceholder.thumbHash("?").bitmap == nil)
    }

    @Test func `the average color counts each pixel by its opacity`() throws {
        #expect(try Pictures.quarters(8, 8).averageColor == ImageColor(red: 128, green: 128, blue: 128))
        let half = try Bitmap.drawn(2, 1, hasAlpha: true) { x, _ in x == 0 ? .red : .clear }
        #expect(half.averageColor == ImageColor(red: 255, green: 0, blue: 0, alpha: 128))
    }
}

/// The published formulas of the two formats, in double precision and without shortcuts.
private enum Formula {
    static func blurHash(_ image: Bitmap, _ across: Int, _ down: Int) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
        func text(_ number: Int, _ count: Int) -> String {
            String((1...count).map { alphabet[number / Int(pow(83, Double(count - $0))) % 83] })
        }
        func light(_ value: UInt8) -> Double {
            let value = Double(value) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func stored(_ light: Double) -> Int {
            let light = min(max(light, 0), 1)
            return Int((light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255 + 0.5)
        }
        var factors: [[Double]] = []
        for j in 0..<down {
            for i in 0..<across {
                var sum = [0.0, 0, 0]
                for y in 0..<image.height {
                    for x in 0..<image.width {
                        let wave =
                            cos(.pi * Double(i * x) / Double(image.width))
                            * cos(.pi * Double(j * y) / Double(image.height))
                        let pixel = image[x, y]
                        for (channel, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
                            sum[channel] += wave * light(value)
                        }
                    }
                }
                let scale = (i + j == 0 ? 1.0 : 2.0) / Double(image.width * image.height)
                factors.append(sum.map { $0 * scale })
            }
        }
        let largest = factors.dropFirst().joined().map { abs($0) }.max()
        let step = largest.map { max(0, min(82, Int(floor($0 * 166 - 0.5)))) } ?? 0
        let range = largest == nil ? 1 : Double(step + 1) / 166
        var hash = text(across - 1 + (down - 1) * 9, 1) + text(step, 1)
        hash += text(factors[0].reduce(0) { $0 << 8 | stored($1) }, 4)
        for factor in factors.dropFirst() {
            let steps = factor.map { value -> Int in
                let share = value / range
                let root = share < 0 ? -sqrt(-share) : sqrt(share)
                return max(0, min(18, Int(floor(root * 9 + 9.5))))
            }
            hash += text(steps.reduce(0) { $0 * 19 + $1 }, 2)
        }
        return hash
    }

    static func thumbHash(_ hash: Data, _ size: PixelSize) throws -> Bitmap {
        let bytes = hash.map { Int($0) }
        let first = bytes[0] | bytes[1] << 8 | bytes[2] << 16
        let second = bytes[3] | bytes[4] << 8
        let hasAlpha = first >> 23 == 1
        let (isWide, shorter, longer) = (second >> 15 == 1, second & 7, hasAlpha ? 5 : 7)
        let (across, down) = (max(3, isWide ? longer : shorter), max(3, isWide ? shorter : longer))
        var place = hasAlpha ? 12 : 10
        func waves(_ across: Int, _ down: Int, _ scale: Double) -> [(x: Int, y: Int, factor: Double)] {
            var waves: [(x: Int, y: Int, factor: Double)] = []
            for y in 0..<down {
                var x = y == 0 ? 1 : 0
                while x * down < across * (down - y) {
                    let step = bytes[place / 2] >> (place % 2 * 4) & 15
                    waves.append((x, y, (Double(step) / 7.5 - 1) * scale))
                    place += 1
                    x += 1
                }
            }
            return waves
        }
        let light = waves(across, down, Double(first >> 18 & 31) / 31)
        let warmth = waves(3, 3, Double(second >> 3 & 63) / 63 * 1.25)
        let redness = waves(3, 3, Double(second >> 9 & 63) / 63 * 1.25)
        let alpha = hasAlpha ? waves(5, 5, Double(bytes[5] >> 4) / 15) : []
        return try Bitmap.drawn(size.width, size.height, hasAlpha: hasAlpha) { x, y in
            func value(_ average: Double, _ waves: [(x: Int, y: Int, factor: Double)]) -> Double {
                waves.reduce(average) { sum, wave in
                    sum + 2 * wave.factor * cos(.pi / Double(size.width) * (Double(x) + 0.5) * Double(wave.x))
                        * cos(.pi / Double(size.height) * (Double(y) + 0.5) * Double(wave.y))
                }
            }
            let l = value(Double(first & 63) / 63, light)
            let p = value(Double(first >> 6 & 63) / 31.5 - 1, warmth)
            let q = value(Double(first >> 12 & 63) / 31.5 - 1, redness)
            let blue = l - 2 / 3 * p
            let red = (3 * l - blue + q) / 2
            let levels = [blue, red - q, red].map { UInt8(max(0, 255 * min(1, $0))) }
            let opacity = hasAlpha ? UInt8(max(0, 255 * min(1, value(Double(bytes[5] & 15) / 15, alpha)))) : 255
            return Pixel(levels[0], levels[1], levels[2]).premultiplied(opacity)
        }
    }
}

extension Data {
    fileprivate init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) })
    }
}
