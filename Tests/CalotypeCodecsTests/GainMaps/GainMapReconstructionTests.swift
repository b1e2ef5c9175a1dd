import CTurboJPEG
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeCodecs

/// What a display with the whole headroom shows of a result, beside base and map that are each scaled in doubles.
@Suite struct GainMapReconstructionTests {
    private typealias Rows = [[SIMD4<Double>]]

    @Test(
        arguments: [(false, 1), (false, 4), (true, 1), (true, 4)],
        [EncodingFormat.jpeg(quality: 90), .avif(quality: 90)])
    func `a result looks like base and map that are scaled in doubles`(
        map kind: (inColor: Bool, ratio: Int), format: EncodingFormat
    ) throws {
        let (inColor, ratio) = kind
        let (width, height) = (320, 240)
        let base = try GainMapFile.lamp(width, height)
        let map = try GainMapFile.glowMap(width / ratio, height / ratio, inColor: inColor)
        let file = GainMapFile(
            base: try JPEGFiles.make(base, quality: 100),
            map: try JPEGFiles.make(map, sampling: inColor ? TJSAMP_444 : TJSAMP_GRAY, quality: 100))
        let size = PixelSize(width: 120, height: 90)
        let result = try file.data.decodedKeepingMap(ResizeTarget(width: size.width)).encoded(as: format)
        let made = try result.decodedKeepingMap()
        let madeMap = try #require(made.gainMap)
        let exactMap = ExactFilter.lanczos3.scaled(
            map, to: PixelSize(width: size.width / ratio, height: size.height / ratio))
        let exact = shown(ExactFilter.lanczos3.scaled(base, to: size), exactMap, madeMap.numbers)
        let seen = shown(
            made.pixels.map { $0.map(\.channels) }, madeMap.samples.pixels.map { $0.map(\.channels) }, madeMap.numbers)
        #expect(mean(exact, seen) <= 1 / 255.0)
        // What a dropped map would look like.
        let dim = shown(
            ExactFilter.lanczos3.scaled(base, to: size), exactMap.map { $0.map { _ in .zero } }, madeMap.numbers)
        #expect(mean(exact, dim) > 5 / 255.0)
    }

    private func mean(_ one: Rows, _ other: Rows) -> Double {
        let errors = zip(one.joined(), other.joined()).map { one, other in
            (0..<3).reduce(0) { $0 + abs(one[$1] - other[$1]) } / 3
        }
        return errors.reduce(0, +) / Double(errors.count)
    }

    /// Returns the signal of PQ for each pixel, with white of the base at 203 cd/m². The map is interpolated linearly.
    private func shown(_ base: Rows, _ map: Rows, _ numbers: GainMapNumbers) -> Rows {
        base.enumerated().map { y, row in
            row.enumerated().map { x, pixel in
                let value = sample(
                    map, (Double(x) + 0.5) / Double(row.count), (Double(y) + 0.5) / Double(base.count))
                var signal = SIMD4<Double>.zero
                for index in 0..<3 {
                    let channel = numbers.channel(2 - index)
                    let stops =
                        channel.least + (channel.most - channel.least) * pow(value[index] / 255, 1 / channel.gamma)
                    let light =
                        (linear(pixel[index] / 255) + channel.baseOffset) * exp2(stops) - channel.alternateOffset
                    signal[index] = quantized(max(light, 0) * 203)
                }
                return signal
            }
        }
    }

    private func sample(_ map: Rows, _ x: Double, _ y: Double) -> SIMD4<Double> {
        let (width, height) = (map[0].count, map.count)
        let column = min(max(x * Double(width) - 0.5, 0), Double(width - 1))
        let row = min(max(y * Double(height) - 0.5, 0), Double(height - 1))
        let (left, top) = (Int(column), Int(row))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (u, v) = (column - Double(left), row - Double(top))
        return (map[top][left] * (1 - u) + map[top][right] * u) * (1 - v)
            + (map[bottom][left] * (1 - u) + map[bottom][right] * u) * v
    }

    private func linear(_ stored: Double) -> Double {
        stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4)
    }

    /// The signal of SMPTE ST 2084 for light in cd/m².
    private func quantized(_ light: Double) -> Double {
        let power = pow(light / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
}
