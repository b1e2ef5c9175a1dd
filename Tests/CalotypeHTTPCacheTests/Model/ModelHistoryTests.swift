import Foundation
import Requirements
import Testing

/// The cache beside a model of RFC 9111, RFC 5861, RFC 8246 and RFC 9213 that was written apart.
///
/// `CALOTYPE_CACHE_STEPS` is the number of random requests, 20,000 by default, and `CALOTYPE_CACHE_SEED` the number of the
/// first history.
@Suite struct ModelHistoryTests {
    private static let length = 200

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    /// The kinds of answers that must occur, so that no rule goes without a test.
    private static let kinds = [
        "fresh 200", "fresh 206", "fresh 304", "fresh 404", "fresh 416", "maxStale 200", "whileRevalidating 200",
        "error 200", "unreachable 200", "validated 200", "validated 206", "validated 304", "completed", "504",
        "failure",
        "network 200", "network 206", "network 304", "network 412", "network 500", "network HEAD", "network POST",
    ]

    @Test(.requirement("RFC 9111 §4")) func `the cache does what a model of RFC 9111 permits`() async throws {
        let total = Self.variable("CALOTYPE_CACHE_STEPS").map { Int(clamping: $0) } ?? 20_000
        let first = Self.variable("CALOTYPE_CACHE_SEED") ?? 1
        var (counts, uses): ([String: Int], [ModelChoice: Int]) = ([:], [:])
        var differences = 0
        for number in 0..<UInt64(max(1, total / Self.length)) where differences < 20 {
            let history = History(seed: first &+ number)
            if await !run(history, Self.length) { differences += 1 }
            counts.merge(history.counts, uniquingKeysWith: +)
            uses.merge(history.model.uses, uniquingKeysWith: +)
        }
        print(counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
        print(uses.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))
        guard total >= 20_000, first == 1, differences == 0 else { return }
        for kind in Self.kinds { #expect(counts[kind, default: 0] > 0, "\(kind) never occurs") }
        for choice in ModelChoice.allCases { #expect(uses[choice, default: 0] > 0, "\(choice) never occurs") }
    }

    @Test(.requirement("RFC 9111 §4")) func `the cache does what the model permits in a history of this run`() async {
        let seed = UInt64.random(in: 0 ... .max)
        print("CALOTYPE_CACHE_SEED=\(seed) CALOTYPE_CACHE_STEPS=200")
        _ = await run(History(seed: seed), Self.length)
    }

    /// - Returns: `true` without a difference.
    private func run(_ history: History, _ count: Int) async -> Bool {
        do {
            for _ in 0..<count { try await history.step() }
            return true
        } catch {
            Issue.record(error)
            return false
        }
    }
}
