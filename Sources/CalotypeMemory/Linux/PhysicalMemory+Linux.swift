extension PhysicalMemory {
    /// Returns the number of bytes that this process may use.
    package static func limit() -> Int { limit(root: "") }
}
