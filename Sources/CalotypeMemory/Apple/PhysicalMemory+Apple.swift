#if canImport(Darwin)
    import os

    extension PhysicalMemory {
        /// Returns the bytes that this process may use. An extension gets a small part of the device's memory.
        static func limit() -> Int {
            #if os(macOS)
                installedBytes
            #else
                limit(installed: installedBytes, available: os_proc_available_memory())
            #endif
        }
    }
#endif
