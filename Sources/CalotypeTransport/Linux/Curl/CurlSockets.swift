import CCurl
import CalotypeBase
import Glibc

/// The sockets of a transport's connections, by their local port. Before curl writes a request, it reports the
/// connection's port, but not its socket. Only curl's thread uses them.
final class CurlSockets {
    /// The state of a connection before a request is written to it.
    enum Standing {
        /// The connection has not carried a request yet.
        case new
        /// No bytes have arrived since the last response.
        case silent
        /// Bytes have arrived, which cannot be the response to a request that has not been written.
        case speaking
    }

    private var new: Set<Int32> = []
    private var used: [Int32: Set<Int32>] = [:]
    private var portsOfUsed: [Int32: Int32] = [:]

    /// Opens a socket that child processes do not inherit. Returns -1 if the system or the descriptor budget refuses.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
        guard descriptor >= 0 else { return -1 }
        guard DescriptorBudget.current.admits(descriptor) else {
            _ = Glibc.close(descriptor)
            return -1
        }
        // curl may have closed an earlier socket with this number without calling `close`.
        forget(descriptor)
        new.insert(descriptor)
        return descriptor
    }

    func close(_ descriptor: Int32) -> Int32 {
        forget(descriptor)
        return Glibc.close(descriptor)
    }

    /// Records that a request is about to be written to this port's connection. Returns the connection's state.
    func use(localPort port: Int32) -> Standing {
        let first = new.filter { localPort(of: $0) == port }
        for descriptor in first {
            new.remove(descriptor)
            used[port, default: []].insert(descriptor)
            portsOfUsed[descriptor] = port
        }
        guard first.isEmpty else { return .new }
        // Connections to different servers may have the same local port, so all of them are checked. An unknown port
        // counts as `speaking`, because a false alarm costs only a new connection.
        guard let known = used[port], !known.contains(where: hasUnreadBytes) else { return .speaking }
        return .silent
    }

    private func forget(_ descriptor: Int32) {
        new.remove(descriptor)
        guard let port = portsOfUsed.removeValue(forKey: descriptor) else { return }
        used[port]?.remove(descriptor)
        if used[port]?.isEmpty == true { used[port] = nil }
    }

    private func hasUnreadBytes(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    private func localPort(of descriptor: Int32) -> Int32? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size) == 0
            else { return nil }
            switch Int32(start.assumingMemoryBound(to: sockaddr.self).pointee.sa_family) {
            case AF_INET:
                return Int32(UInt16(bigEndian: start.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port))
            case AF_INET6:
                return Int32(UInt16(bigEndian: start.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_port))
            default: return nil
            }
        }
    }
}

extension IPAddress {
    /// The address to which curl is about to connect, or `nil` if it is no IP address.
    init?(_ address: UnsafePointer<curl_sockaddr>) {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
        // curl reserves memory for the longest kind of address here.
        let start = UnsafeRawPointer(address) + offset
        switch address.pointee.family {
        case AF_INET: self.init(start.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(start.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }
}

let calotypeCloseSocketCallback: curl_closesocket_callback = { context, descriptor in
    guard let context else { return -1 }
    return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
}
