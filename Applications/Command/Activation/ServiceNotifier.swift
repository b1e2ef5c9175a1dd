import CalotypeBase
import Foundation

/// Messages to the service manager that has started this process: datagrams to the socket in NOTIFY_SOCKET, as systemd
/// reads them from a service with `Type=notify`. Without the variable, all functions do nothing.
struct ServiceNotifier: Sendable {
    private let socket: NotifySocket?
    /// The time between two signs of life, half of what the manager permits; `nil` if it expects none.
    let interval: Duration?
    private let complain: @Sendable (String) -> Void

    /// - Parameters:
    ///   - process: This process's ID. Signs of life are expected of the process in WATCHDOG_PID alone, if it is set.
    ///   - complain: Called with a message that was not delivered.
    init(
        _ environment: [String: String], process: pid_t = getpid(), complain: @escaping @Sendable (String) -> Void
    ) {
        let name = environment["NOTIFY_SOCKET"]?.nonEmpty
        socket = name.flatMap(NotifySocket.init)
        interval = socket == nil ? nil : Self.interval(environment, process)
        self.complain = complain
        if let name, socket == nil {
            complain("NOTIFY_SOCKET=\(name): expected an absolute path of at most 107 bytes, or @ and a name")
        }
    }

    private static func interval(_ environment: [String: String], _ process: pid_t) -> Duration? {
        if let wanted = environment["WATCHDOG_PID"], pid_t(wanted) != process { return nil }
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), microseconds > 1 else {
            return nil
        }
        return .microseconds(microseconds / 2)
    }

    /// Reports that the service answers requests.
    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }

    /// Reports that the service reads its settings again. ``ready(_:)`` has to follow.
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)") }

    /// Reports that the service ends.
    func stopping() { send("STOPPING=1") }

    /// Sends signs of life until the task is cancelled, each after a pass through the service.
    ///
    /// - Parameter pulse: Returns once the service has shown that it works. While it hangs, no sign is sent, so that the
    ///   manager ends the service.
    func showLife(clock: any Clock<Duration> = ContinuousClock(), _ pulse: @Sendable () async -> Void) async {
        guard let interval else { return }
        while !Task.isCancelled {
            await pulse()
            send("WATCHDOG=1")
            guard (try? await clock.sleep(for: interval)) != nil else { return }
        }
    }

    private func send(_ state: String) {
        guard let socket, let reason = socket.send(state) else { return }
        complain("NOTIFY_SOCKET: \(reason)")
    }
}

extension ServiceNotifier {
    init(_ context: Context, _ messages: ServiceMessages) {
        self.init(context.environment) { messages.complain($0) }
    }
}

/// The address of a datagram socket on this machine: a path, or a name without a file, which begins with `@`.
private struct NotifySocket: Sendable {
    private let name: [UInt8]

    init?(_ text: String) {
        guard let first = text.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
        // Linux ends a path with a zero, and begins an abstract name with one.
        name = first == UInt8(ascii: "@") ? [0] + text.utf8.dropFirst() : text.utf8 + [0]
        guard name.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    }

    /// Sends a message. Returns the reason if it was not delivered within a second.
    func send(_ state: String) -> String? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let text = Array(state.utf8)
        let sent = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, size)
            }
        }
        return sent == text.count ? nil : String(cString: strerror(errno))
    }
}
