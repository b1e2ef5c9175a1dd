import CalotypeBase
import Foundation

/// The memory and the descriptors of the server over time.
final class SoakMemory: Sendable {
    struct Sample: Sendable {
        /// The time since the start of the soak, in seconds.
        let time: Double
        /// The number of the server's start.
        let life: Int
        /// The memory of server and workers (PSS), in bytes.
        let bytes: Double
        let descriptors: Int
    }

    /// The change within the last life of the server.
    struct Verdict {
        let first: Double
        let last: Double
        let isFlat: Bool
    }

    private let samples = Locked<[Sample]>([])

    var all: [Sample] { samples.withLock { $0 } }

    /// Measures every few seconds until the task is cancelled.
    func watch(_ server: SoakServer) async {
        let start = ContinuousClock.now
        while !Task.isCancelled {
            if let life = server.life, let (bytes, descriptors) = server.measure(), server.life == life {
                let time = (ContinuousClock.now - start) / .seconds(1)
                samples.withLock {
                    $0.append(Sample(time: time, life: life, bytes: bytes, descriptors: descriptors))
                }
            }
            try? await Task.sleep(for: .seconds(2))
        }
    }

    /// Compares the median of the first third of the server's last life, without its warm-up, with that of the last
    /// third. Returns `nil` if the life was too short.
    ///
    /// - Parameters:
    ///   - value: What grows.
    ///   - slack: The difference that counts as flat, in addition to a fifth.
    func verdict(of value: (Sample) -> Double, slack: Double) -> Verdict? {
        let all = all
        let life = all.filter { $0.life == all.last?.life }
        let warm = life.dropFirst(life.count / 4)
        guard warm.count >= 9 else { return nil }
        let first = median(warm.prefix(warm.count / 3).map(value))
        let last = median(warm.suffix(warm.count / 3).map(value))
        return Verdict(first: first, last: last, isFlat: last <= first * 1.2 + slack)
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}
