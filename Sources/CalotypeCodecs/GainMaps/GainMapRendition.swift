import Foundation

/// What a display shows of a bitmap with its gain map (ISO 21496-1, clause 6): light in the primaries of ITU-R BT.2020, coded by PQ,
/// with the base's white at 203 cd/m² (ITU-R BT.2408). A bitmap without a map is its base.
package struct GainMapRendition {
    private let bitmap: Bitmap
    private let gain: Gain?
    /// The conversions of light into the primaries to which the gain applies, and from these into those of BT.2020.
    private let (toGain, toResult): (Matrix3?, Matrix3?)

    private static let white = 203.0

    /// Returns `nil` if the map cannot be scaled for want of memory.
    ///
    /// - Parameter headroom: The headroom of the display in stops.
    package init?(_ bitmap: Bitmap, headroom: Double) {
        var map: GainMap?
        if let own = bitmap.gainMap {
            guard let drawn = try? own.drawn(for: bitmap.size) else { return nil }
            map = drawn
        }
        self.bitmap = bitmap
        gain = map.map { Gain($0, headroom: headroom) }
        let base = bitmap.gamut.colors
        let colors = map?.primaries.flatMap { CodedColors(primaries: $0, transfer: ColorGamut.transfer) } ?? base
        toGain = colors == base ? nil : Self.conversion(from: base, to: colors)
        toResult = CodedColors(primaries: 9, transfer: 13).flatMap { Self.conversion(from: colors, to: $0) }
    }

    /// Returns the signals of a row's pixels from 0 to 1: red, green and blue. Transparent pixels lie over white.
    package func signals(ofRow y: Int) -> [SIMD3<Double>] {
        let row = bitmap.withUnsafeBytes { pixels in
            (0..<bitmap.width).map { x in
                pixels.loadUnaligned(fromByteOffset: y * bitmap.stride + 4 * x, as: SIMD4<UInt8>.self)
            }
        }
        let gains = gain?.factors(ofRow: y, on: bitmap.size)
        return row.enumerated().map { x, pixel in
            let over = 255 - Int(pixel.w)
            func light(_ value: UInt8) -> Double { Double(SRGBCurve.light[min(Int(value) + over, 255)]) }
            var color = SIMD3(light(pixel.z), light(pixel.y), light(pixel.x))
            if let toGain { color = toGain * color }
            if let gain, let gains { color = gain.applied(gains[x], to: color) }
            if let toResult { color = toResult * color }
            return SIMD3(Self.signal(color.x), Self.signal(color.y), Self.signal(color.z))
        }
    }

    private static func signal(_ light: Double) -> Double { PQCurve.stored(of: min(max(light * white, 0), 10_000)) }

    private static func conversion(from source: CodedColors, to target: CodedColors) -> Matrix3? {
        guard let own = Matrix3(toXYZFrom: source), let inverse = Matrix3(toXYZFrom: target)?.inverse
        else { return nil }
        return inverse * own
    }
}

/// The gain of a map at a headroom.
private struct Gain {
    private let map: GainMap
    /// The factors of light for the values 0 to 255 of red, green and blue.
    private let factors: [[Double]]
    private let baseOffset: SIMD3<Double>
    private let alternateOffset: SIMD3<Double>

    init(_ map: GainMap, headroom: Double) {
        self.map = map
        let numbers = map.numbers
        let range = numbers.alternateHeadroom - numbers.baseHeadroom
        let weight = min(max((headroom - numbers.baseHeadroom) / range, 0), 1)
        let channels = (0..<3).map(numbers.channel)
        factors = channels.map { channel in
            (0...255).map { value in
                let part = pow(Double(value) / 255, 1 / channel.gamma)
                return exp2(weight * (channel.least + (channel.most - channel.least) * part))
            }
        }
        baseOffset = SIMD3(channels[0].baseOffset, channels[1].baseOffset, channels[2].baseOffset)
        alternateOffset = SIMD3(
            channels[0].alternateOffset, channels[1].alternateOffset, channels[2].alternateOffset)
    }

    func applied(_ factor: SIMD3<Double>, to light: SIMD3<Double>) -> SIMD3<Double> {
        (light + baseOffset) * factor - alternateOffset
    }

    /// Returns the factors of a row of an image, between whose samples the map is linear.
    func factors(ofRow y: Int, on image: PixelSize) -> [SIMD3<Double>] {
        let samples = map.samples
        let (top, bottom, down) = Self.neighbors(of: y, image.height, samples.height)
        return samples.withUnsafeBytes { bytes in
            func value(_ x: Int, _ y: Int) -> SIMD3<Double> {
                let pixel = bytes.loadUnaligned(fromByteOffset: y * samples.stride + 4 * x, as: SIMD4<UInt8>.self)
                return SIMD3(Double(pixel.z), Double(pixel.y), Double(pixel.x))
            }
            return (0..<image.width).map { x in
                let (left, right, across) = Self.neighbors(of: x, image.width, samples.width)
                let above = value(left, top) * (1 - across) + value(right, top) * across
                let below = value(left, bottom) * (1 - across) + value(right, bottom) * across
                let mixed = above * (1 - down) + below * down
                return SIMD3(factor(0, mixed.x), factor(1, mixed.y), factor(2, mixed.z))
            }
        }
    }

    private func factor(_ channel: Int, _ value: Double) -> Double {
        let low = min(Int(value), 254)
        let part = value - Double(low)
        return factors[channel][low] * (1 - part) + factors[channel][low + 1] * part
    }

    /// Returns the samples on both sides of a pixel's center, and the share of the second one.
    private static func neighbors(of pixel: Int, _ pixels: Int, _ samples: Int) -> (Int, Int, Double) {
        let center = (Double(pixel) + 0.5) * Double(samples) / Double(pixels) - 0.5
        let place = min(max(center, 0), Double(samples - 1))
        return (Int(place), min(Int(place) + 1, samples - 1), place - place.rounded(.down))
    }
}
