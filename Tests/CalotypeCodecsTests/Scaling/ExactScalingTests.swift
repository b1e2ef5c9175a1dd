import CalotypeTesting
import Testing

@testable import CalotypeCodecs

/// Scaling by blocks, pairs and single rows, beside one that computes each number alone.
@Suite struct ExactScalingTests {
    private static let filters: [ResizeFilter] = [.automatic, .box, .bilinear, .catmullRom, .lanczos3]

    /// Returns a random image and a size for it.
    private static func random(_ seed: Int, hasAlpha: Bool) throws -> (image: Bitmap, size: PixelSize) {
        var random = SplitMix(seed: UInt64(seed))
        func side() -> Int { Int.random(in: 1...(seed.isMultiple(of: 3) ? 12 : 150), using: &random) }
        let (width, height) = (side(), side())
        let rows = (0..<height).map { _ in
            (0..<width).flatMap { _ in
                let alpha = hasAlpha ? UInt8.random(in: 0...255, using: &random) : 255
                return (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &random) } + [alpha]
            }
        }
        return (try Bitmap(rows: rows, hasAlpha: hasAlpha), PixelSize(width: side(), height: side()))
    }

    @Test(arguments: 1...80, [false, true])
    func `the result is exact at random sizes`(seed: Int, hasAlpha: Bool) throws {
        let (image, size) = try Self.random(seed, hasAlpha: hasAlpha)
        let filter = Self.filters[seed % Self.filters.count]
        let scaling = ImageScaling(from: ImageExtent(image.size), to: size, filter: filter)
        let expected = PlainScaler(scaling: scaling, hasAlpha: hasAlpha).scaled(image.rowBytes)
        guard size != image.size else { return }
        let name = "\(image.size) to \(size), \(filter)"
        #expect(try image.scaled(to: size, filter: filter).rowBytes == expected, "\(name)")
        // Row by row, each in the memory of the last.
        var y = 0
        let byRow = try Bitmap(rowsOf: image.size, scaledTo: size, by: filter, hasAlpha: hasAlpha) { row in
            UnsafeMutableRawBufferPointer(row).copyBytes(from: image.rowBytes[y])
            y += 1
        }
        #expect(byRow.rowBytes == expected, "\(name), row by row")
    }

    @Test(arguments: 1...40)
    func `a part of the result is the same as in the whole`(seed: Int) throws {
        let (image, size) = try Self.random(seed, hasAlpha: false)
        var random = SplitMix(seed: UInt64(seed))
        let (x, y) = (Int.random(in: 0..<size.width, using: &random), Int.random(in: 0..<size.height, using: &random))
        let window = PixelRect(x: x, y: y, width: size.width - x, height: (size.height - y + 1) / 2)
        func scaled(_ window: PixelRect?) throws -> Bitmap {
            try image.scaled(
                ImageScaling(from: ImageExtent(image.size), to: size, window: window, filter: .lanczos3))
        }
        let whole = try scaled(nil).rowBytes[y..<y + window.height].map { Array($0[(4 * x)...]) }
        #expect(try scaled(window).rowBytes == whole, "\(image.size) to \(size), \(window)")
    }

    @Test(arguments: 1...40)
    func `rows have the same weights in pairs`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let axis = AxisScaling(
            count: Int.random(in: 1...300, using: &random), target: Int.random(in: 1...300, using: &random),
            filter: Self.filters[seed % Self.filters.count])
        let (plain, paired) = (AxisWeights(axis), AxisWeights(axis, inPairs: true))
        #expect(paired.taps.isMultiple(of: 2) && paired.taps <= axis.pairedTapLimit)
        for pixel in 0..<axis.target {
            #expect(paired.firsts[pixel] >= 0 && paired.firsts[pixel].isMultiple(of: 2))
            #expect(paired.samples(of: pixel) == plain.samples(of: pixel))
        }
        #expect(zip(paired.firsts, paired.firsts.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test(arguments: [(65, 81), (97, 143), (33, 85), (5, 7)])
    func `a row on the center of a source row leaves the rows of the next in memory`(count: Int, target: Int) throws {
        let (width, size) = (8, PixelSize(width: 8, height: target))
        var random = SplitMix(seed: UInt64(count))
        let rows = (0..<count).map { _ in
            (0..<width).flatMap { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [255] }
        }
        let image = try Bitmap(rows: rows, hasAlpha: false)
        let scaling = ImageScaling(from: ImageExtent(image.size), to: size, filter: .catmullRom)
        let expected = PlainScaler(scaling: scaling, hasAlpha: false).scaled(rows)
        #expect(try image.scaled(to: size, filter: .catmullRom).rowBytes == expected)
    }
}

extension AxisWeights {
    /// The weights of a pixel, other than 0, by the index of the sample.
    fileprivate func samples(of pixel: Int) -> [Int: Int16] {
        let own = (0..<taps).map { (Int(firsts[pixel]) + $0, weights[pixel * taps + $0]) }
        return Dictionary(uniqueKeysWithValues: own.filter { $0.1 != 0 })
    }
}
