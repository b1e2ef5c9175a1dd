extension PhysicalMemory {
    /// Returns the number of bytes that this process may use.
    static func limit() -> Int { limit(root: "") }
}
