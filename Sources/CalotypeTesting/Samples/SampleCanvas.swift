import Foundation

/// The canvas of one sample photo. Uses integers and tables for speed, because tests run without optimization.
struct SampleCanvas {
    private let pixels: UnsafeMutableRawBufferPointer
    private let stride: Int
    private let width: Int
    private let height: Int
    private var random: SplitMix

    init(pixels: UnsafeMutableRawBufferPointer, stride: Int, width: Int, height: Int, seed: Int) {
        self.pixels = pixels
        self.stride = stride
        self.width = width
        self.height = height
        random = SplitMix(seed: UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15)
    }

    mutating func paint(fadingOut: Bool) {
        paintSky()
        for _ in 0..<7 { paintDisc() }
        addGrain()
        if fadingOut { fadeOut() }
    }

    /// Paints a vertical gradient with wave-like lighting.
    private mutating func paintSky() {
        let (top, bottom) = (random.color(), random.color())
        let (columns, rows) = (waves(width), waves(height))
        for y in 0..<height {
            let light = rows[y]
            let base = top.mixed(with: bottom, y, of: height)
            for x in 0..<width {
                set(x, y, base.lit(by: light + columns[x]))
            }
        }
    }

    private mutating func paintDisc() {
        let color = random.color()
        let radius = max(min(width, height) * random.number(5...22) / 100, 1)
        let (centerX, centerY) = (random.number(0...width), random.number(0...height))
        for y in max(centerY - radius, 0)..<min(centerY + radius, height) {
            let dy = y - centerY
            let half = Int(Double(radius * radius - dy * dy).squareRoot())
            let shade = color.lit(by: -50 * dy / radius)
            guard centerX + half > 0, centerX - half < width else { continue }
            for x in max(centerX - half, 0)..<min(centerX + half, width) { set(x, y, shade) }
        }
    }

    /// Adds noise. All rows use the same noise from different random positions, which is not noticeable.
    private mutating func addGrain() {
        let grains = (0..<2 * width).map { _ in random.grain() }
        for y in 0..<height {
            let first = random.number(0...width)
            var at = y * stride
            for x in 0..<width {
                let grain = grains[first + x]
                pixels[at] = UInt8(clamping: Int(pixels[at]) + grain)
                pixels[at + 1] = UInt8(clamping: Int(pixels[at + 1]) + grain)
                pixels[at + 2] = UInt8(clamping: Int(pixels[at + 2]) + grain)
                at += 4
            }
        }
    }

    /// Fades out the left edge. Pixels are premultiplied, so the colors fade with the alpha.
    private func fadeOut() {
        let edge = max(width / 4, 1)
        for x in 0..<min(edge, width) {
            let alpha = 255 * x / edge
            for y in 0..<height {
                let at = y * stride + x * 4
                for channel in at..<at + 3 { pixels[channel] = UInt8((Int(pixels[channel]) * alpha + 127) / 255) }
                pixels[at + 3] = UInt8(alpha)
            }
        }
    }

    private mutating func waves(_ count: Int) -> [Int] {
        let (slow, fast) = (Double(random.number(2...5)), Double(random.number(9...17)))
        let phase = Double(random.number(0...628)) / 100
        return (0..<count).map { index in
            let position = Double(index) / Double(count) * 2 * .pi
            return Int(26 * sin(position * slow / 2 + phase) + 7 * sin(position * fast))
        }
    }

    private func set(_ x: Int, _ y: Int, _ color: SampleColor) {
        pixels.storeBytes(of: color.bgra, toByteOffset: y * stride + x * 4, as: UInt32.self)
    }
}

struct SampleColor {
    var red: Int
    var green: Int
    var blue: Int

    var bgra: UInt32 {
        UInt32(littleEndian: 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    func mixed(with other: SampleColor, _ part: Int, of whole: Int) -> SampleColor {
        SampleColor(
            red: red + (other.red - red) * part / whole, green: green + (other.green - green) * part / whole,
            blue: blue + (other.blue - blue) * part / whole)
    }

    func lit(by light: Int) -> SampleColor {
        SampleColor(
            red: min(max(red + light, 0), 255), green: min(max(green + light, 0), 255),
            blue: min(max(blue + light, 0), 255))
    }
}

extension SplitMix {
    fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + number(below: range.count)
    }

    fileprivate mutating func color() -> SampleColor {
        SampleColor(red: number(30...225), green: number(30...225), blue: number(30...225))
    }

    /// Returns a small random change in brightness, most likely near 0.
    fileprivate mutating func grain() -> Int {
        let bits = Int(truncatingIfNeeded: next())
        return (bits & 7) + (bits >> 3 & 7) - 7
    }
}
