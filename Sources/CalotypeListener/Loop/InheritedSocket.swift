import Foundation
import Glibc

/// A listening TCP socket that another process has opened, such as a service manager.
///
/// Clients that connect while no process accepts wait in the socket's queue, so that a restart refuses none.
package struct InheritedSocket: Hashable, Sendable {
    let descriptor: Int32
    /// The numeric address on which the socket listens.
    package let host: String
    package let port: Int

    /// Checks the descriptor, and keeps child processes from inheriting it. The descriptor belongs to the listener that
    /// gets this value in its options.
    ///
    /// - Throws: An error that names the descriptor, if it is closed, no socket, of another kind, or not listening.
    package init(_ descriptor: Int32) throws(ListenerError) {
        func failure(_ reason: String) -> ListenerError {
            ListenerError(.invalidOption, "descriptor \(descriptor) \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("is not open") }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw failure("is no socket") }
        guard let address = Self.address(of: descriptor),
            Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
        else { throw failure("is no TCP socket") }
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else { throw failure("is a socket that does not listen") }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw failure("is not open") }
        self.descriptor = descriptor
        host = address.description
        port = address.port
    }

    private static func address(of descriptor: Int32) -> ClientAddress? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return status == 0 ? ClientAddress(address) : nil
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
