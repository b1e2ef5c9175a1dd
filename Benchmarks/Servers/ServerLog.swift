import CalotypeBase
import Foundation

/// The lines of `calotype serve --log all`: the times that requests took inside the server.
final class ServerLog: Sendable {
    private struct Line: Decodable {
        struct Times: Decodable {
            /// The time from the request until the response began, in milliseconds.
            let total: Double?
        }

        let status: Int
        let outcome: String?
        let ms: Times?
    }

    // Decoded later, because that would take time from the server.
    private let bytes = Locked<[UInt8]>([])

    func add(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0 += more } }

    func clear() { bytes.withLock { $0.removeAll() } }

    /// Returns the time that 99 % of the answers did not exceed, in milliseconds.
    ///
    /// - Parameter outcome: The outcome of the answers, such as "hit". If `nil`, all outcomes count.
    func p99(status: Int, outcome: String? = nil) throws -> Double {
        let decoder = JSONDecoder()
        let lines = bytes.withLock { $0 }.split(separator: UInt8(ascii: "\n"))
        let answers = lines.compactMap { try? decoder.decode(Line.self, from: Data($0)) }
        let times = answers.filter { $0.status == status && (outcome == nil || $0.outcome == outcome) }
            .compactMap { $0.ms?.total }.sorted()
        guard !times.isEmpty else {
            throw BenchError("the log has no time of an answer \(status)\(outcome.map { " (\($0))" } ?? "")")
        }
        return times[min(times.count * 99 / 100, times.count - 1)]
    }
}
