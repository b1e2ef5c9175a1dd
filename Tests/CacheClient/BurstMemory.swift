import Calotype
import Foundation

/// Measures the peak memory of many thumbnails requested at once, while nothing else runs.
enum BurstMemory {
    /// - Parameter numbers: the loader's `decodeBudget` in bytes, the number of requests, and whether they have steps.
    /// - Returns: "83886080 200": the growth of the process's peak in bytes, and the number of thumbnails.
    static func line(_ numbers: [Int]) async throws -> String {
        guard numbers.count == 3 else { return "three numbers" }
        var options = ImageLoaderOptions.ephemeral
        options.decodeBudget = numbers[0]
        options.memory.costLimit = 0
        let loader = ImageLoader(options)
        let file = try photograph(width: 560, height: 420).encoded(as: .jpeg(quality: 80))
        // First, so that one-time allocations do not count.
        _ = try await loader.data(for: request(file, 0, hasSteps: true), encodedAs: .jpeg())
        let before = peakBytes
        let tasks = (0..<numbers[1]).map { number in
            Task { try await loader.data(for: request(file, number, hasSteps: numbers[2] == 1), encodedAs: .jpeg()) }
        }
        var made = 0
        for task in tasks where try await !task.value.isEmpty { made += 1 }
        return "\(peakBytes - before) \(made)"
    }

    private static func request(_ file: Data, _ number: Int, hasSteps: Bool) -> ImageRequest {
        ImageRequest(
            source: .data(file), size: ResizeTarget(width: 560, height: 320 + number, mode: .exact),
            steps: hasSteps ? [.flip(.horizontal), .flip(.vertical)] : [])
    }

    static func photograph(width: Int, height: Int) throws -> Bitmap {
        try Bitmap(width: width, height: height, hasAlpha: false) { pixels, stride in
            for y in 0..<height {
                for x in 0..<width {
                    let color = UInt32(x * 255 / width) << 16 | UInt32(y * 255 / height) << 8 | UInt32((x ^ y) & 255)
                    pixels.storeBytes(of: 0xFF00_0000 | color, toByteOffset: y * stride + 4 * x, as: UInt32.self)
                }
            }
        }
    }

    static var peakBytes: Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let peak = lines.first { $0.hasPrefix("VmHWM:") }?.split(separator: " ").compactMap { Int($0) }.first
        return (peak ?? 0) << 10
    }
}
