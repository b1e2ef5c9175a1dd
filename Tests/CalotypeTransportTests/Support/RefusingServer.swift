import CCurl
import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Glibc
import Testing

/// An HTTP/2 server that refuses each request before it looks at it (REFUSED_STREAM, RFC 9113 §8.7), and counts them.
final class RefusingServer: Sendable {
    let certificate: TestCertificate
    private let port: UInt16
    private let socket: Int32
    private let state = Locked((requests: 0, clients: [Int32]()))

    init() throws {
        certificate = try TestCertificate()
        (socket, port) = try boundSocket()
        try #require(listen(socket, 16) == 0)
        let (socket, state, certificate) = (socket, state, certificate)
        Thread {
            while case let client = accept(socket, nil, nil), client >= 0 {
                state.withLock { $0.clients.append(client) }
                Thread { Self.serve(client, certificate) { state.withLock { $0.requests += 1 } } }.start()
            }
            close(socket)
        }.start()
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        for client in state.withLock({ $0.clients }) { shutdown(client, Int32(SHUT_RDWR)) }
    }

    var requestCount: Int { state.withLock { $0.requests } }

    func url(_ path: String) throws -> URL { try #require(URL(string: "https://localhost:\(port)\(path)")) }

    /// Answers each HEADERS frame with RST_STREAM, until the client leaves.
    private static func serve(_ client: Int32, _ certificate: TestCertificate, _ onRequest: () -> Void) {
        var signals = sigset_t()
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let tls = certificate.accept(client, speaksHTTP2: true) else { return }
        defer { SSL_free(tls) }
        func send(_ frame: [UInt8]) { SSL_write(tls, frame, Int32(frame.count)) }
        send([0, 0, 0, 4, 0, 0, 0, 0, 0])
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var preface = 24
        while case let count = SSL_read(tls, &buffer, Int32(buffer.count)), count > 0 {
            bytes += buffer[..<Int(count)]
            if preface > 0 {
                guard bytes.count >= preface else { continue }
                bytes.removeFirst(preface)
                preface = 0
            }
            while bytes.count >= 9 {
                let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
                guard bytes.count >= 9 + length else { break }
                let (type, flags, stream) = (bytes[3], bytes[4], Array(bytes[5..<9]))
                if type == 1 {
                    onRequest()
                    send([0, 0, 4, 3, 0] + stream + [0, 0, 0, 7])
                }
                if type == 4, flags & 1 == 0 { send([0, 0, 0, 4, 1, 0, 0, 0, 0]) }
                bytes.removeFirst(9 + length)
            }
        }
    }
}
