import Glibc

/// The error of a socket that could not be created or bound, or on which a server could not listen.
struct SocketFailure: Error {
    let code: Int32
}

/// Returns a free loopback port. Another process may take the port before the caller listens on it.
package func freePort() throws -> UInt16 {
    let descriptor = try boundSocket()
    defer { close(descriptor.socket) }
    return descriptor.port
}

/// Returns a TCP socket bound to a free port of 127.0.0.1.
package func boundSocket() throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SocketFailure(code: errno) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard isBound else { throw SocketFailure(code: errno) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

package func isListening(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, streamType, 0)
    defer { close(descriptor) }
    return connects(descriptor, to: port)
}

/// Connects a socket to a loopback port. Returns `false` and sets `errno` if that fails.
///
/// - Parameter host: The last part of the client's own address, 127.0.0.x.
package func connects(_ descriptor: Int32, to port: UInt16, from host: UInt32 = 1) -> Bool {
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    func isDone(_ address: sockaddr_in, _ call: (UnsafePointer<sockaddr>) -> Int32) -> Bool {
        withUnsafePointer(to: address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, call) } == 0
    }
    guard host == 1 || isDone(loopback(port: 0, host), { bind(descriptor, $0, size) }) else { return false }
    return isDone(loopback(port: port)) { connect(descriptor, $0, size) }
}

private func loopback(port: UInt16, _ host: UInt32 = 1) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (0x7F00_0000 + host).bigEndian
    address.sin_port = port.bigEndian
    return address
}

let streamType = Int32(SOCK_STREAM.rawValue)
