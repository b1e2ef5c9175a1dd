import CEpoll
import CalotypeBase
import Foundation
import Glibc

/// A bound port that clients can connect to.
struct ListeningSocket: ~Copyable, Sendable {
    enum Accepted {
        case client(Socket)
        case nothing
        /// The process has no descriptor left for it.
        case exhausted
    }

    /// Clients that the kernel keeps until they are accepted.
    private static let backlog: Int32 = 4096

    private static let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

    private let descriptor: Descriptor
    let port: Int

    init(_ address: SocketAddress) throws(ListenerError) {
        func failure() -> ListenerError {
            let reason = String(cString: strerror(errno))
            return ListenerError(.cannotListen, "cannot listen on \(address.host) port \(address.port): \(reason)")
        }
        let type = Int32(SOCK_STREAM.rawValue) | Self.flags
        guard let descriptor = Descriptor(socket(address.family, type, 0)) else { throw failure() }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // Connections of a listener that has ended do not keep its port.
        setsockopt(descriptor.raw, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if address.family == AF_INET6 { setsockopt(descriptor.raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size) }
        let isBound = address.withPointer { bind(descriptor.raw, $0, $1) } == 0
        guard isBound, listen(descriptor.raw, Self.backlog) == 0 else { throw failure() }
        port = Self.port(of: descriptor.raw)
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.raw }

    /// - Parameter kept: descriptors that clients leave to others.
    func accept(leaving kept: Int) -> Accepted {
        guard hasDescriptor(leaving: kept) else { return .exhausted }
        var address = sockaddr_storage()
        while true {
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            if let client = Descriptor(calotype_accept(raw, &address, &size, Self.flags)) {
                return .client(Socket(client, client: ClientAddress(address)))
            }
            switch errno {
            // Ended before we came to it.
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .nothing
            }
        }
    }

    /// Returns whether the next descriptor is one that a client may have.
    private func hasDescriptor(leaving kept: Int) -> Bool {
        guard let next = Descriptor(fcntl(raw, F_DUPFD_CLOEXEC, 0)) else { return false }
        return DescriptorBudget.current.admits(next.raw, leaving: kept)
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
