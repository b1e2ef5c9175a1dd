// On Linux curl's headers bring the types of POSIX threads along.
import CCurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Nanoseconds on a clock that is never set.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
