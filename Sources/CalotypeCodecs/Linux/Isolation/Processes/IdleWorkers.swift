import CalotypeBase

/// The workers of a pool that wait for a file, the one used last at the end. A value: the pool locks it.
struct IdleWorkers<Worker> {
    private struct Entry {
        let worker: Worker
        /// The time without work; `nil` for a worker that has given up its regions.
        let idle: Stopwatch?
    }

    private var entries: [Entry] = []

    var workers: [Worker] { entries.map(\.worker) }

    mutating func add(_ worker: Worker, _ idle: Stopwatch) { entries.append(Entry(worker: worker, idle: idle)) }

    /// Adds a new worker where it is taken last, because it is not ready yet.
    mutating func addNew(_ worker: Worker, _ idle: Stopwatch) {
        entries.insert(Entry(worker: worker, idle: idle), at: 0)
    }

    /// Returns a worker from ``takeRested(after:of:)`` that has given up its regions.
    mutating func addRested(_ worker: Worker) { entries.insert(Entry(worker: worker, idle: nil), at: 0) }

    mutating func takeLast() -> Worker? { entries.popLast()?.worker }

    /// Takes the worker that was used first.
    mutating func takeFirst() -> Worker? { entries.isEmpty ? nil : entries.removeFirst().worker }

    mutating func takeAll() -> [Worker] {
        defer { entries = [] }
        return workers
    }

    /// Returns the time until the next worker has been idle for `limit`; `nil` if all of them have given up their regions.
    func nextRest(after limit: Duration) -> Duration? {
        entries.compactMap(\.idle).map { max(limit - $0.elapsed(), .zero) }.min()
    }

    /// Takes the workers that have been idle for `limit`: those to end, and the one that stays if it is the only process.
    ///
    /// - Parameter processes: The number of all processes of the pool, busy ones included; `Int.max` if none is to stay.
    mutating func takeRested(after limit: Duration, of processes: Int) -> (ending: [Worker], staying: Worker?) {
        var ending: [Worker] = []
        var staying: Worker?
        entries.removeAll { entry in
            // A worker without regions ends, too, once another one runs.
            guard entry.idle.map({ $0.elapsed() >= limit }) ?? (processes > 1) else { return false }
            if ending.count + 1 < processes { ending.append(entry.worker) } else { staying = entry.worker }
            return true
        }
        return (ending, staying)
    }
}
