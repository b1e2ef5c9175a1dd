import CalotypeStore

extension DiskStore {
    /// Completes pending writes and closes the store, even in a cancelled task: images loaded before Ctrl-C are valid.
    func closeForGood() async {
        // Failed writes have been reported already, and the process is about to end.
        await Task { try? await close() }.value
    }
}
