import Foundation
import Glibc

/// A socket that says exactly what a test wants to say, and hears exactly what comes back.
final class RawClient: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw client")

    struct Failure: Error { let code: Int32 }

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` closes the socket: it runs after this throw too, since every property is set.
        guard status == 0 else { throw Failure(code: errno) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a request without a body.
    func get(_ target: String, method: String = "GET", lines: [String] = []) throws {
        let head = ["\(method) \(target) HTTP/1.1", "Host: test"] + lines
        try send(head.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// What comes until the text ends in `end`, or until the server hangs up.
    func receive(until end: String? = nil) async -> String {
        await receive { end.map($0.hasSuffix) ?? false }
    }

    func receive(count: Int) async -> String {
        await receive { $0.utf8.count >= count }
    }

    private func receive(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var text: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while !isEnough(String(decoding: text, as: UTF8.self)) {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    text += buffer[..<count]
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// Leaves. Nothing more comes or goes.
    func leave() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
