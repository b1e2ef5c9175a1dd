import Foundation

/// Tasks that only enter an actor and return: the minimum cost of concurrent work in Swift.
actor ActorHops {
    private var visits = 0

    /// Starts one task for each URL, all at once. Keeps them in an array: a task group this large takes quadratic time.
    static func run(_ urls: [URL]) async throws {
        let hops = ActorHops()
        let tasks = urls.map { url in Task { await hops.visit(url) } }
        var lengths = 0
        for task in tasks { lengths += await task.value }
        guard await hops.visits == urls.count, lengths > 0 else { throw BenchError("a task got lost") }
    }

    private func visit(_ url: URL) -> Int {
        visits += 1
        return 1
    }
}
