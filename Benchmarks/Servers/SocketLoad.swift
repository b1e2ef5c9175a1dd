import CEpoll
import CalotypeBase
import Foundation
import Glibc

/// Requests for thumbnails that no cache has, from one thread over plain sockets: client and server share the
/// processors, and a client with a task for each request takes as much of them as the server.
final class SocketLoad: Sendable {
    private let server: String
    private let source: String
    private let width: Int
    private let format: String
    private let client: UInt32
    private let connections: Int
    private let number = Locked(0)

    /// - Parameters:
    ///   - server: The URL of the server.
    ///   - client: The last part of the client's address, 127.0.0.x.
    ///   - connections: The maximum number of requests in flight.
    init(
        _ server: String, source: String, width: Int = 400, format: String = "jpg", client: UInt32 = 1,
        connections: Int
    ) {
        (self.server, self.source, self.connections) = (server, source, connections)
        (self.width, self.format, self.client) = (width, format, client)
    }

    /// Keeps `count` requests in flight.
    func closed(_ count: Int, for time: Duration) async throws -> MissLoad.Outcome {
        // More than a server on two processors makes.
        let requests = try requests(Int(4000 * (time / .seconds(1))))
        return try await run(requests, count, for: time) { _, sent, answered in sent - answered < count }
    }

    /// Sends requests at a rate per second, however long the answers take. Later answers do not count.
    func open(rate: Double, for time: Duration) async throws -> MissLoad.Outcome {
        let requests = try requests(Int(rate * (time / .seconds(1))))
        return try await run(requests, connections, for: time) { elapsed, sent, _ in Double(sent) <= rate * elapsed }
    }

    /// Returns requests that are signed before the first one is sent.
    private func requests(_ count: Int) throws -> [[UInt8]] {
        let first = number.withLock { number in
            defer { number += count }
            return number
        }
        return try (first..<first + count).map { index in
            let path = try ThumbnailURL.path(source, width: width, format: format, buster: "m\(index)")
            return Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        }
    }

    /// Sends each request once `isDue` returns `true` for the time in seconds, the requests sent and those answered.
    private func run(
        _ requests: [[UInt8]], _ connections: Int, for time: Duration,
        isDue: @escaping @Sendable (Double, Int, Int) -> Bool
    ) async throws -> MissLoad.Outcome {
        guard let port = URL(string: server)?.port.flatMap(UInt16.init) else {
            throw BenchError("\(server) has no port")
        }
        let seconds = time / .seconds(1)
        return try await withCheckedThrowingContinuation { continuation in
            Thread { [client] in
                continuation.resume(
                    with: Result {
                        let loop = try SocketLoop(port: port, client: client, connections: connections)
                        return try loop.run(requests, seconds, isDue: isDue)
                    })
            }.start()
        }
    }
}

/// The sockets of a load, for one thread.
private final class SocketLoop {
    private let port: UInt16
    private let client: UInt32
    private let limit: Int
    private let epoll = epoll_create1(0)
    private var answers: [Int32: PartialAnswer] = [:]
    private var idle: [Int32] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(port: UInt16, client: UInt32, connections: Int) throws {
        (self.port, self.client, limit) = (port, client, connections)
        guard epoll >= 0 else { throw BenchError("no descriptor is left") }
    }

    deinit {
        for descriptor in answers.keys { close(descriptor) }
        close(epoll)
    }

    func run(
        _ requests: [[UInt8]], _ seconds: Double, isDue: (Double, Int, Int) -> Bool
    ) throws -> MissLoad.Outcome {
        let start = ContinuousClock.now
        var (sent, answered) = (0, 0)
        var statuses: [Int: Int] = [:]
        while true {
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            while elapsed < seconds, sent < requests.count, isDue(elapsed, sent, answered) {
                try send(requests[sent])
                sent += 1
            }
            if elapsed >= seconds, answered == sent { break }
            for status in try receive() {
                answered += 1
                if elapsed < seconds { statuses[status, default: 0] += 1 }
            }
        }
        let made = statuses.removeValue(forKey: 200) ?? 0
        return MissLoad.Outcome(rate: Double(made) / seconds, failures: statuses)
    }

    private func send(_ request: [UInt8]) throws {
        let descriptor = try idle.popLast() ?? connect()
        // It fits into the empty buffer of its socket.
        guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchError("a request cannot be sent")
        }
    }

    private func connect() throws -> Int32 {
        guard answers.count < limit else { throw BenchError("more than \(limit) requests are in flight") }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected =
            Self.use(client, 0) { Glibc.bind(descriptor, $0, $1) == 0 }
            && Self.use(1, port) { Glibc.connect(descriptor, $0, $1) == 0 }
        guard isConnected else { throw BenchError("the server takes no connection") }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.fd = descriptor
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw BenchError("epoll_ctl failed") }
        answers[descriptor] = PartialAnswer()
        return descriptor
    }

    /// Calls `body` with the address 127.0.0.`part` and a port.
    private static func use(_ part: UInt32, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool)
        -> Bool
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + part).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Waits for a millisecond at most, and returns the statuses of the answers that are complete.
    private func receive() throws -> [Int] {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        let count = epoll_wait(epoll, &events, Int32(events.count), 1)
        var statuses: [Int] = []
        for event in events.prefix(max(Int(count), 0)) {
            let descriptor = event.data.fd
            let length = recv(descriptor, &buffer, buffer.count, 0)
            guard length > 0 else { throw BenchError("the server has closed a connection") }
            guard let status = answers[descriptor]?.add(buffer[0..<length]) else { continue }
            statuses.append(status)
            idle.append(descriptor)
        }
        return statuses
    }
}

/// An answer of which a part has arrived.
private struct PartialAnswer {
    private var head: [UInt8] = []
    private var status = 0
    /// The number of bytes of the body that are missing; `nil` as long as the head is incomplete.
    private var missing: Int?

    /// - Returns: The status if the answer is complete; otherwise `nil`.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> Int? {
        var length = bytes.count
        if missing == nil {
            head += bytes
            guard let end = head.firstRange(of: "\r\n\r\n".utf8) else { return nil }
            let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
            let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
            missing = field.flatMap { Int($0.dropFirst(15).trimmingPrefix(" ")) } ?? 0
            length = head.count - end.upperBound
        }
        missing = missing.map { $0 - length }
        guard missing == 0 else { return nil }
        defer { self = PartialAnswer() }
        return status
    }
}
