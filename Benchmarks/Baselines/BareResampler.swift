import CResample
import Foundation

/// The loops of a Lanczos-3 filter over the rows and columns of pixels in memory, without any other work.
enum BareResampler {
    static func scale(
        _ pixels: UnsafePointer<UInt8>, width: Int, height: Int, to newWidth: Int, _ newHeight: Int
    ) throws {
        let columns = Weights(from: width, to: newWidth)
        let rows = Weights(from: height, to: newHeight, inPairs: true)
        let pairs = (height + 1) / 2, pairLength = 6 * ((newWidth + 3) / 4 * 4) + 8
        guard let between = malloc(2 * pairLength * pairs), let result = malloc(4 * newWidth * newHeight) else {
            throw BenchError("no memory")
        }
        defer {
            free(between)
            free(result)
        }
        let lines = between.assumingMemoryBound(to: Int16.self)
        for pair in 0..<pairs {
            let lower = min(2 * pair + 1, height - 1)
            calotype_across(
                pixels + 8 * width * pair, pixels + 4 * width * lower, lines + pairLength * pair, columns.firsts,
                columns.weights, columns.taps, newWidth, 3)
        }
        for y in 0..<newHeight {
            let first = Int(rows.firsts[y]) / 2
            let taps = (0..<rows.taps / 2).map {
                UnsafePointer(lines + pairLength * min(first + $0, pairs - 1)) as UnsafePointer<Int16>?
            }
            rows.weights.withUnsafeBufferPointer { weights in
                calotype_down(
                    taps, result.assumingMemoryBound(to: UInt8.self) + 4 * newWidth * y,
                    weights.baseAddress.map { $0 + y * rows.taps }, rows.taps, newWidth, Int32(calotype_opaque))
            }
        }
    }

    /// The weights along one axis. The source must have at least `taps` pixels.
    private struct Weights {
        let taps: Int
        var firsts: [Int32] = []
        var weights: [Int16] = []

        init(from source: Int, to target: Int, inPairs: Bool = false) {
            let ratio = Double(source) / Double(target)
            taps = (Int((6 * ratio).rounded(.up)) + 4) / 4 * 4
            for place in 0..<target {
                let center = (Double(place) + 0.5) * ratio
                let lowest = min(max(Int((center - 3 * ratio).rounded(.down)), 0), source - taps)
                let first = inPairs ? lowest & ~1 : lowest
                let exact = (first..<first + taps).map { lanczos3((Double($0) + 0.5 - center) / ratio) }
                let sum = exact.reduce(0, +)
                firsts.append(Int32(first))
                weights += exact.map { Int16(($0 / sum * 16384).rounded()) }
            }
        }
    }
}
