import Glibc

/// Returns the number of descriptors that the process may have open, at most 1,048,576.
func openDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(min(limit.rlim_cur, 1 << 20))
}
