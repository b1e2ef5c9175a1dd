import Darwin

/// Returns the number of descriptors that the process may have open, at most 1,048,576.
func openDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return 256 }
    return Int(min(limit.rlim_cur, 1 << 20))
}
