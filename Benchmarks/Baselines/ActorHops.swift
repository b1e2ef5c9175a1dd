import Foundation

/// Tasks that do nothing but enter an actor and come back: the least that concurrent work in Swift costs.
actor ActorHops {
    private var visits = 0

    /// One task for each, all at once, in an array: a task group with so many children is quadratic.
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
