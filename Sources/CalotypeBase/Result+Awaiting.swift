extension Result {
    /// Creates a result of asynchronous work: its value or its error.
    @inlinable package init(awaiting work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
