/// Runs jobs in order, a limited number at a time: the next one starts when one has ended.
enum BoundedRun {
    /// - Parameter onEnd: receives the outcomes, one at a time.
    static func perform<Job: Sendable, Outcome: Sendable>(
        _ jobs: [Job], atOnce: Int, _ work: @escaping @Sendable (Job) async -> Outcome, onEnd: (Outcome) -> Void
    ) async {
        await withTaskGroup(of: Outcome.self) { group in
            var waiting = jobs[...]
            for job in waiting.prefix(atOnce) { group.addTask { await work(job) } }
            waiting = waiting.dropFirst(atOnce)
            while let outcome = await group.next() {
                onEnd(outcome)
                if !Task.isCancelled, let job = waiting.popFirst() { group.addTask { await work(job) } }
            }
        }
    }
}
