import CalotypeBase

/// Runs blocking work on the store's threads, never on a caller's thread.
extension DiskStore {
    func onWriter<Result: Sendable>(
        _ body: @escaping @Sendable (StoreWriter) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await writerThread.run { [writer] () throws(StoreError) in
            try writer.work { writer throws(StoreError) in try body(writer) }
        }
    }

    /// Runs `body` on a reader's thread. If the index turns out to be damaged, asks the writer to repair it.
    func reading<Result: Sendable>(
        _ body: @escaping @Sendable (StoreReader) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        do throws(StoreError) {
            return try await readerThreads.run { [readers, idleReaders] () throws(StoreError) in
                // There are as many readers as reader threads, so a reader is always idle here.
                guard let number = idleReaders.withLock({ $0.popLast() }) else { throw .overloaded }
                defer { idleReaders.withLock { $0.append(number) } }
                return try readers[number].withLock { reader throws(StoreError) in try body(reader) }
            }
        } catch {
            if error.code == .indexDamaged {
                pending.withLock { $0.noteRepair() }
                callWriter()
            }
            throw error
        }
    }
}

extension Locked where State == StoreWriter {
    /// Runs `body`, which may lock files. On iOS, prevents the suspension of the process meanwhile, and then releases
    /// the locks that a suspended process must not hold.
    func work<Result, Failure: Error>(
        _ body: (StoreWriter) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock { writer throws(Failure) in
            try UninterruptedWork.perform { () throws(Failure) in
                defer { writer.rest() }
                return try body(writer)
            }
        }
    }
}
