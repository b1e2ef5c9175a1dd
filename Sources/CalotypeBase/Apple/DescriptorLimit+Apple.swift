import Darwin

func openDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return 256 }
    return Int(min(limit.rlim_cur, 1 << 20))
}
