#if !os(Linux)
    /// Elsewhere nothing wakes the monitor.
    final class PressureTrigger: Sendable {
        init?(file: String, onPressure: @escaping @Sendable () -> Void) { return nil }
    }
#endif
