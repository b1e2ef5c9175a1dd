/// So many jobs at a time, in order: the next one starts when one has ended.
enum BoundedRun {
    /// - Parameter onEnd: gets each outcome, one after the other.
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
