#if canImport(Darwin)
    import Darwin
    import Dispatch

    /// Calls when the system reports that memory gets short. Ends when it is let go.
    package final class PressureTrigger: Sendable {
        private let source: any DispatchSourceMemoryPressure

        private init(onPressure: @escaping @Sendable () -> Void) {
            source = DispatchSource.makeMemoryPressureSource(
                eventMask: [.warning, .critical], queue: .global(qos: .utility))
            source.setEventHandler { onPressure() }
            source.activate()
        }

        deinit { source.cancel() }

        static func ofTheSystem(onPressure: @escaping @Sendable () -> Void) -> PressureTrigger? {
            PressureTrigger(onPressure: onPressure)
        }

        /// Returns `nil` if here it is not a file that tells.
        init?(file: String, onPressure: @escaping @Sendable () -> Void) { return nil }
    }
#endif
