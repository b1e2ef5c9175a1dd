import CalotypeStore

extension DiskStore {
    /// Completes pending writes and closes the store, even in a cancelled task: images loaded before Ctrl-C stay.
    func closeForGood() async {
        // The store has reported failed writes, and the process is about to end.
        await Task { try? await close() }.value
    }
}
