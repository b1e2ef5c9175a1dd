import CalotypeStore

extension DiskStore {
    /// Writes what waits and closes, even in a task that was cancelled: what was loaded before Ctrl-C is good.
    func closeForGood() async {
        // What could not be written was reported; there is nobody left to whom it matters.
        await Task { try? await close() }.value
    }
}
