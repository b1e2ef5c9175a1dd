extension PhysicalMemory {
    /// Returns the memory of the machine or the limit of the process's control groups, whichever is less, in bytes.
    package static func limit() -> Int { limit(root: "") }
}
