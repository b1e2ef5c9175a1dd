public import Dispatch

// Mostly to be asked whether it can be imported: on Linux the C library's own module is found before it. What Dispatch has
// on Apple's platforms alone is here, because Linux has a Dispatch of its own.

public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol, Sendable {}

extension DispatchSource {
    public struct MemoryPressureEvent: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var warning: MemoryPressureEvent { MemoryPressureEvent(rawValue: 2) }
        public static var critical: MemoryPressureEvent { MemoryPressureEvent(rawValue: 4) }
    }

    public class func makeMemoryPressureSource(
        eventMask: DispatchSource.MemoryPressureEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceMemoryPressure { fatalError() }
}
