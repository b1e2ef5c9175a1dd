import CResample
import CalotypeTesting
import Testing

#if arch(x86_64)
    /// The version of an inner loop for some processors, beside the portable one, which determines the result.
    enum InnerLoops: CaseIterable, Sendable {
        case chosen, sse2, avx2

        /// The versions that this processor can run. With `CALOTYPE_NO_AVX2` in the environment, as in one run of the
        /// tests, the chosen one is that of other processors.
        static var runnable: [InnerLoops] { calotype_has_avx2() != 0 ? [.chosen, .sse2, .avx2] : [.chosen, .sse2] }
    }

    /// The vectorized loops against the portable ones, on random rows of each width: bit for bit the same results. A byte
    /// behind each result must not change.
    @Suite struct InnerLoopTests {
        private static let widths = 1...300

        @Test(arguments: InnerLoops.runnable, [3, 4])
        func `the pass over columns is exact`(loops: InnerLoops, channels: Int) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let taps = 4 * Int.random(in: 1...6, using: &random), length = taps + width
                let upper = random.bytes(4 * length), lower = random.bytes(4 * length)
                let weights = random.weights(width * taps)
                let firsts = (0..<width).map { _ in Int32.random(in: 0...Int32(length - taps), using: &random) }
                // Two numbers behind the result may be written.
                let count = 2 * channels * width
                var vector = [Int16](repeating: 7, count: count + 3), plain = vector
                loops.across(upper, lower, &vector, firsts, weights, taps, width, channels)
                calotype_across_portable(upper, lower, &plain, firsts, weights, taps, width, channels)
                #expect(vector.prefix(count) == plain.prefix(count), "\(width) pixels, \(taps) weights")
                #expect(vector.last == 7 && plain.suffix(3) == [7, 7, 7])
            }
        }

        @Test(arguments: InnerLoops.runnable.filter { $0 != .sse2 }, [3, 4])
        func `four rows at once are two pairs`(loops: InnerLoops, channels: Int) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let taps = 4 * Int.random(in: 1...6, using: &random), length = taps + width
                let rows = (0..<4).map { _ in random.bytes(4 * length) }
                let weights = random.weights(width * taps)
                let firsts = (0..<width).map { _ in Int32.random(in: 0...Int32(length - taps), using: &random) }
                let count = 2 * channels * width
                var vector = [Int16](repeating: 7, count: 2 * (count + 3)), first = vector, second = vector
                loops.acrossFour(rows.flatMap(\.self), 4 * length, &vector, firsts, weights, taps, width, channels)
                calotype_across_portable(rows[0], rows[1], &first, firsts, weights, taps, width, channels)
                calotype_across_portable(rows[2], rows[3], &second, firsts, weights, taps, width, channels)
                #expect(vector.prefix(count) == first.prefix(count), "\(width) pixels, \(taps) weights")
                #expect(vector[(count + 3)...].prefix(count) == second.prefix(count))
                #expect(vector[count + 2] == 7 && vector.last == 7)
            }
        }

        @Test(arguments: InnerLoops.runnable, [calotype_opaque, calotype_with_alpha, calotype_four_colors])
        func `the pass over rows is exact`(loops: InnerLoops, kind: Int) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let taps = 2 * Int.random(in: 1...12, using: &random), padded = (width + 3) / 4 * 4
                let length = 2 * calotype_channels(Int32(kind)) * padded
                let values = random.bytes(taps / 2 * length).map { Int16($0) * 80 - 2000 }
                let weights = random.weights(taps)
                var vector = [UInt8](repeating: 7, count: 4 * width + 1), plain = vector
                values.withUnsafeBufferPointer { values in
                    let pairs = (0..<taps / 2).map { pair in values.baseAddress.map { $0 + length * pair } }
                    loops.down(pairs, &vector, weights, taps, width, Int32(kind))
                    calotype_down_portable(pairs, &plain, weights, taps, width, Int32(kind))
                }
                #expect(vector == plain && vector.last == 7, "\(width) pixels, \(taps) weights")
            }
        }

        @Test(arguments: InnerLoops.runnable)
        func `halves are exact`(loops: InnerLoops) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let upper = random.bytes(4 * width), lower = random.bytes(4 * width)
                var vector = [UInt8](repeating: 7, count: 4 * ((width + 1) / 2) + 1), plain = vector
                loops.halve(upper, lower, &vector, width)
                calotype_halve_portable(upper, lower, &plain, 0, width)
                #expect(vector == plain && vector.last == 7, "\(width) pixels")
                let four = [upper[0], upper[min(4, 4 * width - 4)], lower[0], lower[min(4, 4 * width - 4)]]
                #expect(vector[0] == UInt8((four.reduce(2) { $0 + Int($1) }) / 4))
            }
        }

        @Test(arguments: InnerLoops.runnable)
        func `halves of one channel are exact, also in place`(loops: InnerLoops) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let upper = random.bytes(width), lower = random.bytes(width)
                var vector = [UInt8](repeating: 7, count: (width + 1) / 2 + 1), plain = vector
                loops.halvePlane(upper, lower, &vector, width)
                calotype_halve_plane_portable(upper, lower, &plain, 0, width)
                #expect(vector == plain && vector.last == 7, "\(width) samples")
                var own = upper
                own.withUnsafeMutableBufferPointer { own in
                    guard let start = own.baseAddress else { return }
                    loops.halvePlane(start, lower, start, width)
                }
                #expect(own.prefix((width + 1) / 2).elementsEqual(plain.dropLast()), "\(width) samples in place")
            }
        }

        @Test(arguments: InnerLoops.runnable, [0, 1] as [Int32])
        func `premultiplication is exact`(loops: InnerLoops, swaps: Int32) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                let isOpaque = width.isMultiple(of: 3)
                var vector = (0..<width).map { _ in
                    UInt32.random(in: 0...UInt32.max, using: &random) | (isOpaque ? 0xFF00_0000 : 0)
                }
                var plain = vector
                loops.premultiply(&vector, width, swaps)
                calotype_premultiply_portable(&plain, width, swaps)
                #expect(vector == plain, "\(width) pixels")
            }
        }

        @Test(arguments: InnerLoops.runnable.filter { $0 != .sse2 }, [false, true])
        func `three bytes become an opaque pixel`(loops: InnerLoops, isBlueFirst: Bool) {
            for width in Self.widths {
                var random = SplitMix(seed: UInt64(width))
                // The loops read four bytes behind the last pixel.
                let row = random.bytes(3 * width + 4)
                var vector = [UInt32](repeating: 7, count: width + 1), plain = vector
                let first = loops.widen(row, &vector, width, isBlueFirst)
                if isBlueFirst {
                    calotype_bgr_to_bgra_portable(row, &vector, first, width)
                    calotype_bgr_to_bgra_portable(row, &plain, 0, width)
                } else {
                    calotype_rgb_to_bgra_portable(row, &vector, first, width)
                    calotype_rgb_to_bgra_portable(row, &plain, 0, width)
                }
                #expect(vector == plain && vector.last == 7, "\(width) pixels")
                let (low, high) = (UInt32(row[isBlueFirst ? 0 : 2]), UInt32(row[isBlueFirst ? 2 : 0]))
                #expect(plain[0] == 0xFF00_0000 | high << 16 | UInt32(row[1]) << 8 | low)
            }
        }

        @Test(arguments: InnerLoops.runnable)
        func `premultiplication rounds each color and alpha to nearest`(loops: InnerLoops) {
            for alpha in 0...255 as ClosedRange<UInt32> {
                var pixels = (0...255 as ClosedRange<UInt32>).map { alpha << 24 | $0 << 16 | (255 - $0) << 8 | $0 }
                loops.premultiply(&pixels, 256, 0)
                for color in 0...255 as ClosedRange<UInt32> {
                    let level = (2 * color * alpha + 255) / 510, other = (2 * (255 - color) * alpha + 255) / 510
                    #expect(pixels[Int(color)] == alpha << 24 | level << 16 | other << 8 | level)
                }
            }
        }

        @Test(arguments: InnerLoops.runnable)
        func `an overshoot of alpha scales the colors, too`(loops: InnerLoops) {
            // A row and an equal one below it, in 64ths of a level: alpha is 272 and 255 in turn.
            let two: [Int16] = [64 * 136, 64 * 34, 64 * 272, 64 * 272, 64 * 300, -64, 64 * 255, 64 * 255]
            let row = (0..<6).flatMap { _ in two.flatMap { [$0, $0] } }
            for kind in [calotype_four_colors, calotype_with_alpha] {
                let levels: [UInt8] =
                    kind == calotype_with_alpha
                    ? [128, 32, 255, 255, 255, 0, 255, 255] : [136, 34, 255, 255, 255, 0, 255, 255]
                let expected = (0..<6).flatMap { _ in levels }
                for count in 1...12 {
                    var vector = [UInt8](repeating: 7, count: 4 * count), plain = vector
                    row.withUnsafeBufferPointer { row in
                        let pairs = [row.baseAddress]
                        loops.down(pairs, &vector, [8192, 8192], 2, count, Int32(kind))
                        calotype_down_portable(pairs, &plain, [8192, 8192], 2, count, Int32(kind))
                    }
                    #expect(vector == Array(expected.prefix(4 * count)) && plain == vector)
                }
            }
        }
    }

    extension SplitMix {
        fileprivate mutating func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
        }

        fileprivate mutating func weights(_ count: Int) -> [Int16] {
            (0..<count).map { _ in Int16.random(in: -4000...12_000, using: &self) }
        }
    }

    extension InnerLoops {
        fileprivate var across:
            @convention(c) (
                UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<Int16>?, UnsafePointer<Int32>?,
                UnsafePointer<Int16>?, Int, Int, Int
            ) -> Void
        {
            switch self {
            case .chosen: calotype_across
            case .sse2: calotype_across_sse2
            case .avx2: calotype_across_avx2
            }
        }

        /// Writes both results into `result`, one behind the other, with three numbers behind each.
        fileprivate func acrossFour(
            _ rows: [UInt8], _ stride: Int, _ result: UnsafeMutablePointer<Int16>, _ firsts: [Int32],
            _ weights: [Int16], _ taps: Int, _ count: Int, _ channels: Int
        ) {
            let pairs = [result, result + 2 * channels * count + 3] as [UnsafeMutablePointer<Int16>?]
            switch self {
            case .avx2: calotype_across_four_avx2(rows, stride, pairs, firsts, weights, taps, count, channels)
            default: calotype_across_four(rows, stride, pairs, firsts, weights, taps, count, channels)
            }
        }

        fileprivate func down(
            _ pairs: [UnsafePointer<Int16>?], _ result: UnsafeMutablePointer<UInt8>, _ weights: [Int16], _ taps: Int,
            _ count: Int, _ kind: Int32
        ) {
            switch self {
            case .chosen: calotype_down(pairs, result, weights, taps, count, kind)
            case .sse2: calotype_down_sse2(pairs, result, weights, taps, 0, count, kind)
            case .avx2: calotype_down_avx2(pairs, result, weights, taps, 0, count, kind)
            }
        }

        fileprivate var halve:
            @convention(c) (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int) -> Void
        {
            switch self {
            case .chosen: calotype_halve
            case .sse2: calotype_halve_sse2
            case .avx2: calotype_halve_avx2
            }
        }

        fileprivate var halvePlane:
            @convention(c) (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int) -> Void
        {
            switch self {
            case .chosen: calotype_halve_plane
            case .sse2: calotype_halve_plane_sse2
            case .avx2: calotype_halve_plane_avx2
            }
        }

        /// Returns the number of pixels that are written.
        fileprivate func widen(
            _ row: [UInt8], _ pixels: inout [UInt32], _ count: Int, _ isBlueFirst: Bool
        ) -> Int {
            guard self == .avx2 else {
                if isBlueFirst {
                    calotype_bgr_to_bgra(row, &pixels, count)
                } else {
                    calotype_rgb_to_bgra(row, &pixels, count)
                }
                return count
            }
            return isBlueFirst
                ? calotype_bgr_to_bgra_avx2(row, &pixels, count) : calotype_rgb_to_bgra_avx2(row, &pixels, count)
        }

        fileprivate var premultiply: @convention(c) (UnsafeMutablePointer<UInt32>?, Int, Int32) -> Void {
            switch self {
            case .chosen: calotype_premultiply
            case .sse2: calotype_premultiply_portable
            case .avx2: calotype_premultiply_avx2
            }
        }
    }
#endif
