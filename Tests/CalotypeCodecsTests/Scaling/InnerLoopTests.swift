import CResample
import CalotypeTesting
import Testing

/// The vectorized loops against the plain ones: bit for bit the same results.
@Suite struct InnerLoopTests {
    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func weights(_ count: Int, seed: UInt64) -> [Int16] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in Int16.random(in: -4000...12_000, using: &random) }
    }

    @Test(arguments: [4, 8, 20])
    func `columns`(taps: Int) {
        let source = bytes(4 * 64, seed: 1), weights = weights(9 * taps, seed: 2)
        let firsts = (0..<9).map { Int32($0 * (64 - taps) / 8) }
        var vector = [Int16](repeating: 1, count: 36), plain = vector
        calotype_across(source, &vector, firsts, weights, taps, 9)
        calotype_across_portable(source, &plain, firsts, weights, taps, 9)
        #expect(vector == plain)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 11], [0, 1])
    func `rows`(width: Int, hasAlpha: Int32) {
        let padded = (width + 3) / 4 * 4
        let values = bytes(8 * 4 * padded, seed: 3).map { Int16($0) * 80 - 2000 }
        let weights = weights(8, seed: 4)
        // One extra byte, which must not change.
        var vector = [UInt8](repeating: 7, count: 4 * width + 1), plain = vector
        values.withUnsafeBufferPointer { values in
            let rows = (0..<8).map { row in values.baseAddress.map { $0 + 4 * padded * row } }
            calotype_down(rows, &vector, weights, 8, width, hasAlpha)
            calotype_down_portable(rows, &plain, weights, 8, width, hasAlpha)
        }
        #expect(vector == plain && vector.last == 7)
    }

    @Test func `an overshoot of alpha scales the colors, too`() {
        // One row, in 64ths of a level: alpha is 272 and 255 in turn.
        let row: [Int16] = [64 * 136, 64 * 34, 64 * 272, 64 * 272, 64 * 300, -64, 64 * 255, 64 * 255]
        let rows = [row + row, row + row]
        for hasAlpha: Int32 in [0, 1] {
            let expected: [UInt8] =
                hasAlpha == 1
                ? [128, 32, 255, 255, 255, 0, 255, 255] : [136, 34, 255, 255, 255, 0, 255, 255]
            for count in 1...4 {
                var vector = [UInt8](repeating: 7, count: 4 * count), plain = vector
                rows[0].withUnsafeBufferPointer { upper in
                    rows[1].withUnsafeBufferPointer { lower in
                        let rows = [upper.baseAddress, lower.baseAddress]
                        calotype_down(rows, &vector, [8192, 8192], 2, count, hasAlpha)
                        calotype_down_portable(rows, &plain, [8192, 8192], 2, count, hasAlpha)
                    }
                }
                #expect(vector == Array((expected + expected).prefix(4 * count)) && plain == vector)
            }
        }
    }

    @Test(arguments: 1...13)
    func `halving`(width: Int) {
        let upper = bytes(4 * width, seed: 5), lower = bytes(4 * width, seed: 6)
        var vector = [UInt8](repeating: 7, count: 4 * ((width + 1) / 2) + 1), plain = vector
        calotype_halve(upper, lower, &vector, width)
        calotype_halve_portable(upper, lower, &plain, 0, width)
        #expect(vector == plain && vector.last == 7)
        let four = [upper[0], upper[min(4, 4 * width - 4)], lower[0], lower[min(4, 4 * width - 4)]]
        #expect(vector[0] == UInt8((four.reduce(2) { $0 + Int($1) }) / 4))
    }
}
