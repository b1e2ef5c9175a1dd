extension PhysicalMemory {
    static func limit() -> Int { limit(root: "") }
}
