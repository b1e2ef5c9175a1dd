extension PhysicalMemory {
    /// The bytes that this process may use.
    package static func limit() -> Int { limit(root: "") }
}
