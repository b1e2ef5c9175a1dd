public import Dispatch

// Mostly for `canImport`: on Linux the compiler finds the C library's own module first. This file also declares the
// parts of Dispatch that exist only on Apple's platforms, because Linux has its own Dispatch.

// Threads, with types that differ from Glibc's.

public typealias pthread_t = OpaquePointer
public struct pthread_attr_t {
    public init() {}
}
public struct qos_class_t: Sendable {}
public let QOS_CLASS_USER_INITIATED = qos_class_t()
public let PTHREAD_CREATE_DETACHED: Int32 = 2

@discardableResult
public func pthread_attr_init(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { 0 }
@discardableResult
public func pthread_attr_destroy(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { 0 }
@discardableResult
public func pthread_attr_setdetachstate(_: UnsafeMutablePointer<pthread_attr_t>, _: Int32) -> Int32 { 0 }
@discardableResult
public func pthread_attr_setstacksize(_: UnsafeMutablePointer<pthread_attr_t>, _: Int) -> Int32 { 0 }
@discardableResult
public func pthread_attr_set_qos_class_np(
    _: UnsafeMutablePointer<pthread_attr_t>, _: qos_class_t, _: Int32
) -> Int32 { 0 }
@discardableResult
public func pthread_setname_np(_: UnsafePointer<CChar>) -> Int32 { 0 }
@discardableResult
public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>, _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> Int32 { 0 }

// Files.

public let F_FULLFSYNC: Int32 = 51
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { 0 }
public func fsync(_: Int32) -> Int32 { 0 }

// Limits.

public struct rlimit {
    public var rlim_cur: UInt64 = 0
    public var rlim_max: UInt64 = 0
    public init() {}
}
public let RLIMIT_NOFILE: Int32 = 8
public func getrlimit(_: Int32, _: UnsafeMutablePointer<rlimit>) -> Int32 { 0 }

// Memory pressure.

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
