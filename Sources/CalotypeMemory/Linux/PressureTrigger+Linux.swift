import CalotypeBase
import Glibc

/// A thread that sleeps until the kernel reports memory pressure. Releasing the trigger ends the thread.
final class PressureTrigger: Sendable {
    /// Requests a report of 200 ms of stalls within 2 s. Unprivileged processes may only request windows that are a
    /// multiple of 2 s.
    private static let request = "some 200000 2000000"

    private let loop: PollLoop

    /// Returns `nil`: Linux reports memory pressure only through a file, such as `/proc/pressure/memory`.
    static func ofTheSystem(onPressure: @escaping @Sendable () -> Void) -> PressureTrigger? { nil }

    /// Returns `nil` if the file cannot be opened for writing, the kernel rejects the request, or no thread starts.
    convenience init?(file: String, onPressure: @escaping @Sendable () -> Void) {
        let descriptor = open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // The kernel's documentation requires the terminating zero.
        let written = Self.request.withCString { write(descriptor, $0, Self.request.utf8.count + 1) }
        guard written > 0 else {
            close(descriptor)
            return nil
        }
        self.init(descriptor: descriptor, onPressure: onPressure)
    }

    /// - Parameter descriptor: Signals pressure as urgent data (`POLLPRI`). The trigger closes the descriptor.
    init?(descriptor: Int32, onPressure: @escaping @Sendable () -> Void) {
        guard let loop = PollLoop(event: descriptor, onEvent: onPressure) else { return nil }
        self.loop = loop
        guard loop.start() else { return nil }
    }

    deinit { loop.stop() }
}

/// The thread's state and descriptors. The thread retains this object and not the trigger, so that releasing the
/// trigger ends the thread.
private final class PollLoop: Sendable {
    private let event: Int32
    /// A pair of sockets. A write to `wakeWriter` wakes the thread and ends it.
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let onEvent: @Sendable () -> Void

    init?(event: Int32, onEvent: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else {
            close(event)
            return nil
        }
        self.event = event
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        self.onEvent = onEvent
    }

    deinit {
        for descriptor in [event, wakeReader, wakeWriter] { close(descriptor) }
    }

    func start() -> Bool { startThread(named: "calotype-memory") { self.run() } }

    func stop() {
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }

    private func run() {
        var polled = [
            pollfd(fd: event, events: Int16(POLLPRI), revents: 0),
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let ready = poll(&polled, 2, -1)
            if ready < 0, errno == EINTR { continue }
            // POLLERR: the control group was removed.
            let ends = Int16(POLLERR | POLLHUP | POLLNVAL)
            guard ready > 0, polled[1].revents == 0, polled[0].revents & ends == 0 else { return }
            onEvent()
        }
    }
}
