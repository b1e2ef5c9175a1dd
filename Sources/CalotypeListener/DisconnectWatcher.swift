#if os(Linux)
    import CMicroHTTPD
    import Foundation
    import Glibc

    /// Notices that a client has left while its connection is suspended, which libmicrohttpd does not.
    ///
    /// One thread, one epoll descriptor. A client that closes only its sending side counts as gone.
    final class DisconnectWatcher: Sendable {
        private static let stopMark: UInt64 = 0

        private let epoll: Int32
        private let wake: Int32

        /// - Parameter onDisconnect: gets the id given to ``watch(_:id:)``, on the watcher's thread.
        init(onDisconnect: @escaping @Sendable (UInt64) -> Void) throws(ListenerError) {
            epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
            wake = eventfd(0, Int32(EFD_CLOEXEC))
            guard epoll >= 0, wake >= 0 else {
                let reason = String(cString: strerror(errno))
                for descriptor in [epoll, wake] where descriptor >= 0 { close(descriptor) }
                throw ListenerError(.cannotListen, "no descriptor to watch connections with: \(reason)")
            }
            add(wake, EPOLLIN.rawValue, id: Self.stopMark)
            // The thread owns the descriptors from here on, not the watcher.
            let (epoll, wake) = (epoll, wake)
            Thread.detachNewThread { Self.watch(epoll: epoll, wake: wake, onDisconnect) }
        }

        /// Starts to watch. The id must not be 0.
        func watch(_ descriptor: Int32, id: UInt64) {
            add(descriptor, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue, id: id)
        }

        /// Stops watching; call it before the descriptor is closed.
        func forget(_ descriptor: Int32) {
            epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
        }

        /// Ends the thread, which closes the descriptors. Neither ``watch(_:id:)`` nor ``forget(_:)`` may follow.
        func stop() {
            eventfd_write(wake, 1)
        }

        private func add(_ descriptor: Int32, _ events: UInt32, id: UInt64) {
            var event = epoll_event(events: events, data: epoll_data_t(u64: id))
            epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
        }

        private static func watch(epoll: Int32, wake: Int32, _ onDisconnect: @Sendable (UInt64) -> Void) {
            var events = [epoll_event](repeating: epoll_event(), count: 64)
            while true {
                let count = epoll_wait(epoll, &events, Int32(events.count), -1)
                if count < 0 && errno != EINTR { break }
                let ids = events.prefix(max(Int(count), 0)).map(\.data.u64)
                for id in ids where id != stopMark { onDisconnect(id) }
                if ids.contains(stopMark) { break }
            }
            close(epoll)
            close(wake)
        }
    }
#endif
