import os

extension PhysicalMemory {
    /// Returns the number of bytes that this process may use. An app extension may use only a small part of the
    /// device's memory.
    package static func limit() -> Int {
        #if os(macOS)
            installedBytes
        #else
            limit(installed: installedBytes, available: os_proc_available_memory())
        #endif
    }
}
