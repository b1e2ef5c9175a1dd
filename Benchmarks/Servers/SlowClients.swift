import CalotypeTesting
import TestSupport
import Foundation

/// Slow clients: half send the head of a request at one byte a second without end, half never read the response.
final class SlowClients {
    private let senders: [RawClient]
    private let readers: [RawClient]
    private let trickle: Thread

    /// - Parameters:
    ///   - count: The number of clients, half of each kind.
    ///   - target: The target of the requests.
    init(count: Int, port: UInt16, target: String) throws {
        senders = try (0..<count / 2).map { _ in try Self.connect(port, "GET \(target) HTTP/1.1\r\nX-Slow: ") }
        readers = try (0..<count / 2).map { _ in try Self.connect(port, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") }
        trickle = Thread { [senders] in
            while !Thread.current.isCancelled {
                for sender in senders { try? sender.send("a") }
                sleep(1)
            }
        }
        trickle.start()
    }

    deinit {
        trickle.cancel()
        for client in senders + readers { client.leave() }
    }

    private static func connect(_ port: UInt16, _ text: String) throws -> RawClient {
        let client = try RawClient(port: Int(port))
        try client.send(text)
        return client
    }
}
