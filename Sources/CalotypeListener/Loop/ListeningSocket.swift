import CEpoll
import CalotypeBase
import Foundation
import Glibc

/// A bound socket that accepts clients.
struct ListeningSocket: ~Copyable, Sendable {
    enum Accepted {
        case client(Socket)
        case nothing
        /// The process has no descriptors left for clients.
        case exhausted
    }

    private static let backlog: Int32 = 4096

    private static let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    private let descriptor: Descriptor
    let port: Int
    /// Whether another process may go on accepting from the socket.
    let isInherited: Bool

    /// Takes the socket in the options, or opens one at the address.
    static func open(
        _ options: Listener.Options, at address: SocketAddress
    ) throws(ListenerError) -> ListeningSocket {
        if let socket = options.socket { return try ListeningSocket(socket) }
        return try ListeningSocket(address, isShared: options.sharesAddress)
    }

    private init(_ socket: InheritedSocket) throws(ListenerError) {
        guard let descriptor = Descriptor(socket.descriptor),
            fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_NONBLOCK) == 0
        else { throw ListenerError(.cannotListen, "descriptor \(socket.descriptor) is not open") }
        port = socket.port
        isInherited = true
        self.descriptor = descriptor
    }

    init(_ address: SocketAddress, isShared: Bool = false) throws(ListenerError) {
        func failure() -> ListenerError {
            let reason = String(cString: strerror(errno))
            return ListenerError(.cannotListen, "cannot listen on \(address.host) port \(address.port): \(reason)")
        }
        let type = Int32(SOCK_STREAM.rawValue) | Self.flags
        guard let descriptor = Descriptor(socket(address.family, type, 0)) else { throw failure() }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // Old connections must not block the port for a new listener.
        setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if isShared { setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEPORT, &on, size) }
        if address.family == AF_INET6 { setsockopt(descriptor.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
        let isBound = address.withPointer { bind(descriptor.number, $0, $1) } == 0
        guard isBound, listen(descriptor.number, Self.backlog) == 0 else { throw failure() }
        port = Self.port(of: descriptor.number)
        isInherited = false
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.number }

    /// - Parameter kept: The number of descriptors to leave for other uses.
    func accept(leaving kept: Int) -> Accepted {
        guard hasDescriptor(leaving: kept) else { return .exhausted }
        var address = sockaddr_storage()
        while true {
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            if let client = Descriptor(calotype_accept(raw, &address, &size, Self.flags)) {
                return .client(Socket(client, client: ClientAddress(address)))
            }
            switch errno {
            // The call was interrupted, or the client left before it was accepted.
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .nothing
            }
        }
    }

    /// Returns `true` if a client may use the next free descriptor.
    private func hasDescriptor(leaving kept: Int) -> Bool {
        guard let next = Descriptor(fcntl(raw, F_DUPFD_CLOEXEC, 0)) else { return false }
        return DescriptorBudget.current.admits(next.number, leaving: kept)
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return ClientAddress(address)?.port ?? 0
    }
}
