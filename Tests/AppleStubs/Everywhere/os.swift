/// Not available on macOS.
public func os_proc_available_memory() -> Int { 0 }
