#if GTK
    import Calotype
    import CalotypeHTTP
    import CalotypeUI
    import Foundation

    /// Measures the main thread's processor time for starting loads of images that no cache has: the loads begin on
    /// other threads in the meantime. The baseline starts as many empty tasks.
    @MainActor
    struct BindMiss {
        private static let count = 1000

        private let options = RemoteImageOptions(loader: ImageLoader(.fake(InstantTransport())))

        func measure(batches: Int, _ say: (String) -> Void) async throws {
            for batch in -1..<batches {
                let empty = await emptyTasks()
                let ours = try await loads(batch)
                if batch >= 0 { say("\(ours) \(empty)") }
            }
        }

        /// Returns the mean time to start a load, in microseconds, after all loads have ended.
        private func loads(_ batch: Int) async throws -> Double {
            let binders = (0..<BindMiss.count).map { _ in ImageBinder(options) }
            let requests = (0..<BindMiss.count).compactMap { index in
                URL(string: "https://images.example.org/\(batch)/\(index).jpg").map { ImageRequest($0) }
            }
            let time = processorSeconds {
                for (binder, request) in zip(binders, requests) { binder.show(request) }
            }
            for binder in binders {
                while binder.state.isLoading { await Task.yield() }
                if let error = binder.state.error { throw error }
            }
            return time * 1e6 / Double(BindMiss.count)
        }

        private func emptyTasks() async -> Double {
            var tasks: [Task<Void, Never>] = []
            tasks.reserveCapacity(BindMiss.count)
            let time = processorSeconds {
                for _ in 0..<BindMiss.count { tasks.append(Task {}) }
            }
            for task in tasks { await task.value }
            return time * 1e6 / Double(BindMiss.count)
        }
    }
#endif
