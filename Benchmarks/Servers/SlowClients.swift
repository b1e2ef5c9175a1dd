import Foundation
import Glibc

/// Slow clients: half send the head of a request at one byte a second without end, half never read the response.
final class SlowClients {
    private let senders: [Int32]
    private let readers: [Int32]
    private let trickle: Thread

    /// - Parameters:
    ///   - count: The number of clients, half of each kind.
    ///   - target: The target of the requests.
    init(count: Int, port: UInt16, target: String) throws {
        senders = try (0..<count / 2).map { _ in try Self.connect(port, "GET \(target) HTTP/1.1\r\nX-Slow: ") }
        readers = try (0..<count / 2).map { _ in try Self.connect(port, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") }
        trickle = Thread { [senders] in
            while !Thread.current.isCancelled {
                for sender in senders { _ = send(sender, "a", 1, Int32(MSG_NOSIGNAL)) }
                sleep(1)
            }
        }
        trickle.start()
    }

    deinit {
        trickle.cancel()
        for client in senders + readers { close(client) }
    }

    private static func connect(_ port: UInt16, _ text: String) throws -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw BenchError("a slow client cannot connect: \(String(cString: strerror(errno)))")
        }
        return client
    }
}
