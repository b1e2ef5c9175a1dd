/// The limits on the process's file descriptors, one for each use.
///
/// The kernel assigns the lowest free descriptor. Code that opens sockets or files for peers closes a new descriptor
/// that exceeds a bound. The descriptors above the bound are reserved for code that cannot handle a failure:
/// libdispatch ends the process if it gets no descriptor.
package struct DescriptorBudget: Hashable, Sendable {
    /// The number of descriptors that the process may have open.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    package static var current: DescriptorBudget { DescriptorBudget(limit: openDescriptorLimit()) }

    /// The maximum number of concurrent host name lookups.
    package var lookups: Int { min(max(limit / 32, 2), 32) }

    /// The maximum number of stored bodies kept open for later readers.
    package var files: Int { min(limit / 16, 64) }

    /// The number of descriptors reserved for libdispatch, SQLite and lookups (two for each lookup).
    package var reserve: Int { 8 + 2 * lookups }

    /// Returns the number of descriptors to keep from clients for another use, at most a quarter of the limit.
    package func kept(for wanted: Int) -> Int { min(wanted, limit / 4) }

    /// Returns whether a newly opened descriptor leaves the reserve and `more` others free.
    package func admits(_ descriptor: Int32, leaving more: Int = 0) -> Bool {
        Int(descriptor) < limit - reserve - more
    }
}
