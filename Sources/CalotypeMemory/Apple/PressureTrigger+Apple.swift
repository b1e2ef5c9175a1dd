import Darwin
import Dispatch

/// A subscription to the system's reports of memory pressure, which ends when it is released.
final class PressureTrigger: Sendable {
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

    /// Returns `nil`: Apple's systems do not report memory pressure through a file.
    init?(file: String, onPressure: @escaping @Sendable () -> Void) { return nil }
}
