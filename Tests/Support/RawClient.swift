package import Foundation
import Glibc

/// A TCP client that sends and receives the exact bytes chosen by a test.
package final class RawClient: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")

    package struct Failure: Error { package let code: Int32 }

    /// - Parameter host: The last part of the client's address, 127.0.0.x.
    package init(port: Int, from host: UInt32 = 1) throws {
        descriptor = socket(AF_INET, streamType, 0)
        // `deinit` closes the socket, even after this throw, because every property is set.
        guard connects(descriptor, to: UInt16(port), from: host) else { throw Failure(code: errno) }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Blocks until the kernel has accepted all bytes.
    package func send(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends until the kernel has accepted all bytes, or accepts no more for half a second.
    ///
    /// - Returns: The number of bytes accepted.
    package func sendWithoutWaiting(_ bytes: Data) throws -> Int {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var sent = 0
        // The peer may need a moment to read: half a second without space in the buffer means that it does not read.
        while sent < bytes.count, Glibc.poll(&poll, 1, 500) > 0 {
            let rest = bytes[(bytes.startIndex + sent)...].prefix(16 << 10)
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 || errno == EAGAIN else { throw Failure(code: errno) }
            sent += max(count, 0)
        }
        return sent
    }

    package func get(_ target: String, method: String = "GET", lines: [String] = []) throws {
        let head = ["\(method) \(target) HTTP/1.1", "Host: test"] + lines
        try send(head.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Receives until the text ends with `end`, or until the server closes the connection.
    package func receive(until end: String? = nil) async -> String {
        await receive { bytes in end.map { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? false }
    }

    package func receive(count: Int) async -> String {
        await receive { $0.count >= count }
    }

    /// Receives the bytes that arrive next, up to 64 KiB, without waiting for more.
    package func receiveOnce() async -> String {
        await receive { !$0.isEmpty }
    }

    private func receive(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var text: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while !isEnough(text) {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    text += buffer[..<count]
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// Closes the sending side of the connection. The client can still receive.
    package func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    package func leave() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Resets the connection, as when a program ends with unread input.
    package func abort() {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
