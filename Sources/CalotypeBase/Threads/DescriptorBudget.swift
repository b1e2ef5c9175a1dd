/// How a process divides the descriptors that it may have open.
///
/// The kernel gives out the lowest number that is free. Whoever closes descriptors above a bound therefore leaves those from
/// there on to others. Sockets and files that peers can ask for are bounded so. The last ones stay for code that
/// cannot be refused: libdispatch ends the process when it finds none.
package struct DescriptorBudget: Hashable, Sendable {
    /// The number of descriptors that the process may have open.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// The budget by the process's limit as it is now.
    package static var current: DescriptorBudget { DescriptorBudget(limit: openDescriptorLimit()) }

    /// The number of host names that are looked up at the same time.
    package var lookups: Int { min(max(limit / 32, 2), 32) }

    /// The number of stored bodies that stay open for later readers.
    package var files: Int { min(limit / 16, 64) }

    /// Descriptors for libdispatch, SQLite, and two for each lookup.
    package var reserve: Int { 8 + 2 * lookups }

    /// Returns whether a descriptor that was just opened leaves the reserve and `more` others.
    package func admits(_ descriptor: Int32, leaving more: Int = 0) -> Bool {
        Int(descriptor) < limit - reserve - more
    }
}
