/// A count of the bytes of text that are read and copied. Tests use it to relate the cost of a message to its length.
///
/// Only debug builds count; in release builds, the count is 0.
package enum TextCosts {
    @TaskLocal private static var meter: Locked<Int>?

    /// Returns the number of bytes read and copied by `work`, in its task and its child tasks.
    package static func count(_ work: () async throws -> Void) async rethrows -> Int {
        let meter = Locked(0)
        try await $meter.withValue(meter, operation: work)
        return meter.withLock { $0 }
    }

    @inline(__always)
    static func note(_ bytes: @autoclosure () -> Int) {
        #if DEBUG
            guard let meter else { return }
            let bytes = bytes()
            meter.withLock { $0 += bytes }
        #endif
    }
}
