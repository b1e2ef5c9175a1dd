import CEpoll
import CalotypeBase
import Glibc

/// A queue of events of many descriptors, for one thread that waits for them.
struct Epoll: ~Copyable {
    struct Events: OptionSet {
        let rawValue: UInt32

        static let input = Events(rawValue: EPOLLIN.rawValue)
        static let output = Events(rawValue: EPOLLOUT.rawValue)
        /// The client has stopped sending.
        static let halfClosed = Events(rawValue: EPOLLRDHUP.rawValue)
        static let broken = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
        /// Edge-triggered: each change is reported once.
        static let edges = Events(rawValue: EPOLLET.rawValue)
    }

    /// The events returned by one wait.
    struct Batch {
        private var events = [epoll_event](repeating: epoll_event(), count: 256)
        fileprivate(set) var count = 0

        subscript(_ index: Int) -> (key: UInt64, events: Events) {
            (events[index].data.u64, Events(rawValue: events[index].events))
        }

        fileprivate mutating func fill(_ wait: (UnsafeMutablePointer<epoll_event>, Int32) -> Int32) {
            count = events.withUnsafeMutableBufferPointer { buffer in
                // Newer C libraries declare that the pointer may not be NULL.
                guard let start = buffer.baseAddress else { return 0 }
                // An interrupted wait returns no events.
                return max(Int(wait(start, Int32(buffer.count))), 0)
            }
        }
    }

    private let descriptor: Descriptor

    init() throws(ListenerError) {
        guard let descriptor = Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) else {
            throw .cannotWait()
        }
        self.descriptor = descriptor
    }

    /// - Parameter key: The value to return with each event.
    /// - Returns: `false` if the kernel lacks memory, or the user watches too many descriptors
    ///   (`/proc/sys/fs/epoll/max_user_watches`): no event will come.
    func add(_ raw: Int32, _ events: Events, key: UInt64) -> Bool { control(EPOLL_CTL_ADD, raw, events, key) }

    /// - Returns: `false` if the kernel lacks memory: the earlier events stay.
    @discardableResult func change(_ raw: Int32, _ events: Events, key: UInt64) -> Bool {
        control(EPOLL_CTL_MOD, raw, events, key)
    }

    /// Removes a descriptor whose file another process may keep open. Closing the descriptor alone would not end its
    /// events. Fails for a descriptor alone that is not there.
    func remove(_ raw: Int32) { _ = control(EPOLL_CTL_DEL, raw, [], 0) }

    private func control(_ operation: Int32, _ raw: Int32, _ events: Events, _ key: UInt64) -> Bool {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: key))
        return epoll_ctl(descriptor.number, operation, raw, &event) == 0
    }

    /// - Parameter milliseconds: The maximum time to wait, or `nil` for no limit.
    func wait(_ milliseconds: Int32?, into batch: inout Batch) {
        batch.fill { epoll_wait(descriptor.number, $0, $1, milliseconds ?? -1) }
    }
}

/// A signal that wakes a thread in ``Epoll/wait(_:into:)``.
struct Wakeup: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init() throws(ListenerError) {
        guard let descriptor = Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) else {
            throw .cannotWait()
        }
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.number }

    /// Wakes the thread. The eventfd's counter is never read: edge triggering reports each write, and 64 bits suffice.
    func signal() { eventfd_write(raw, 1) }
}

extension ListenerError {
    static func cannotWait() -> ListenerError {
        ListenerError(.cannotListen, "cannot wait for connections: \(String(cString: strerror(errno)))")
    }
}
