import CResample
import CalotypeTesting
import Testing

#if arch(x86_64)
    /// The loops with AVX2 against those that each processor has, on random rows: bit for bit the same results.
    @Suite(.enabled(if: calotype_has_avx2() != 0)) struct JPEGLoopTests {
        @Test func `colors are the same`() {
            for width in 1...70 {
                let pixels = random(width, UInt32.self, in: 0...(.max))
                #expect(
                    results(width) { calotype_jpeg_luma_avx2(pixels, $0, width) }
                        == results(width) { calotype_jpeg_luma_loop(pixels, $0, width) })
                for bits in [13, 15] as [Int32] {
                    #expect(
                        results(2 * width) { calotype_jpeg_chroma_avx2(pixels, $0, $0 + width, width, bits) }
                            == results(2 * width) { calotype_jpeg_chroma_loop(pixels, $0, $0 + width, width, bits) })
                }
            }
        }

        @Test func `the fit of chroma is the same`() {
            for width in stride(from: 8, through: 64, by: 8) {
                let rows = random(10 * width, Int16.self, in: -512...511)
                func across(_ loop: (_ even: UnsafeMutablePointer<Int16>) -> Void) -> [Int16] {
                    results(3 * width + 4) { loop($0 + 2) }
                }
                #expect(
                    across { calotype_jpeg_across_avx2(rows, $0, $0 + width, $0 + 2 * width + 2, width) }
                        == across { calotype_jpeg_across_loop(rows, $0, $0 + width, $0 + 2 * width + 2, width) })
                rows.withUnsafeBufferPointer { rows in
                    guard let row = rows.baseAddress.map({ $0 + 4 * width }) else { return }
                    #expect(
                        results(width) { calotype_jpeg_down_avx2(row, width, $0, width) }
                            == results(width) { calotype_jpeg_down_loop(row, width, $0, width) })
                }
            }
        }

        @Test func `blocks are the same`() {
            for blocks in 1...5 {
                let samples = random(64 * blocks, Int16.self, in: -128...127)
                let steps = random(64, Int32.self, in: 1...255)
                let offsets = steps.map { $0 * 16 / 5 }, factors = steps.map { (1 << 20 + 8 * $0 - 1) / (8 * $0) }
                func levels(_ isWide: Bool) -> [Int16] {
                    var masks = [UInt8](repeating: 0, count: 8 * blocks)
                    let levels = results(64 * blocks) {
                        isWide
                            ? calotype_jpeg_blocks_avx2(samples, 8 * blocks, blocks, offsets, factors, $0, &masks)
                            : calotype_jpeg_blocks_loop(samples, 8 * blocks, blocks, offsets, factors, $0, &masks)
                    }
                    for (place, level) in levels.enumerated() {
                        #expect(masks[place / 8] >> (place % 8) & 1 == (level == 0 ? 0 : 1))
                    }
                    return levels
                }
                #expect(levels(true) == levels(false))
            }
        }

        private func random<Number: FixedWidthInteger>(
            _ count: Int, _ type: Number.Type, in range: ClosedRange<Number>
        ) -> [Number] {
            var random = SplitMix(seed: UInt64(count))
            return (0..<count).map { _ in Number.random(in: range, using: &random) }
        }

        private func results(_ count: Int, _ loop: (UnsafeMutablePointer<Int16>) -> Void) -> [Int16] {
            var results = [Int16](repeating: 7, count: count)
            results.withUnsafeMutableBufferPointer { buffer in
                if let start = buffer.baseAddress { loop(start) }
            }
            return results
        }
    }
#endif
