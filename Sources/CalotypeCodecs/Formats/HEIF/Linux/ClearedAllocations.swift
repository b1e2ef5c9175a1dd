#if HEIF
    import CHEIF
    import CalotypeBase

    /// The use of `malloc` with cleared memory.
    ///
    /// libde265 leaves blocks of a damaged image unwritten, libheif returns the image without an error, and the memory may
    /// contain an earlier image. Neither library has a function for its memory to be set.
    enum ClearedAllocations {
        /// The number of calls in progress.
        private static let calls = Locked(0)

        /// Runs `body`, during which `malloc` clears the memory that it returns.
        static func during<Result>(_ body: () -> Result) -> Result {
            calls.withLock { calls in
                if calls == 0 { calotype_clear_allocations(true) }
                calls += 1
            }
            defer {
                calls.withLock { calls in
                    calls -= 1
                    if calls == 0 { calotype_clear_allocations(false) }
                }
            }
            return body()
        }
    }
#endif
