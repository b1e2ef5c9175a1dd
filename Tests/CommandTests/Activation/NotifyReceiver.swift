import Foundation
import Glibc

/// The service manager's end of NOTIFY_SOCKET.
final class NotifyReceiver: Sendable {
    /// The value of NOTIFY_SOCKET.
    let name: String
    private let descriptor: Int32

    struct Failure: Error { let code: Int32 }

    /// - Parameter isAbstract: Whether the socket has a name without a file.
    init(isAbstract: Bool = false) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path
        name = isAbstract ? "@calotype-\(UUID().uuidString)" : path
        let bytes = isAbstract ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8) + [0]
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { throw Failure(code: errno) }
        // A message that never comes fails the test instead of holding it up.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// Blocks until a message arrives, and returns its lines; after a minute, returns none.
    func next() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
