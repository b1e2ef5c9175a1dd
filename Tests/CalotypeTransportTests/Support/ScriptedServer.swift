import CCurl
import CalotypeBase
import CalotypeTesting
import TestSupport
import Foundation
import Glibc
import Testing
import Waiting

/// A server that answers each request with exactly the bytes of a test's script, keeps the connection, and sends more
/// on it when the test asks. Over plain TCP or TLS.
final class ScriptedServer: Sendable {
    struct Request: Sendable, Equatable {
        /// The connection's number in the order of acceptance, from 0.
        var connection: Int
        var head: ByteString

        var path: ByteString {
            let words = head.split(separator: UInt8(ascii: " "), maxSplits: 2)
            return words.count > 1 ? words[1] : ""
        }
    }

    /// The response in pieces, each sent by one write: over TLS, one record.
    typealias Script = @Sendable (Request) -> [ByteString]

    /// The certificate, which is its own authority; `nil` without TLS.
    let certificate: TestCertificate?
    private let port: UInt16
    private let socket: Int32
    private let exchanges: Locked<Exchanges>

    init(isSecure: Bool = false, script: @escaping Script) throws {
        certificate = isSecure ? try TestCertificate() : nil
        (socket, port) = try boundSocket()
        try #require(listen(socket, 16) == 0)
        exchanges = Locked(Exchanges())
        let (socket, exchanges, certificate) = (socket, exchanges, certificate)
        Thread {
            while case let client = accept(socket, nil, nil), client >= 0 {
                let wire = Wire(client, certificate)
                let number = exchanges.withLock { $0.add(wire) }
                Thread {
                    wire.serve { head in
                        let request = Request(connection: number, head: head)
                        exchanges.withLock { $0.requests.append(request) }
                        return script(request)
                    }
                }.start()
            }
            close(socket)
        }.start()
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        for wire in exchanges.withLock({ $0.wires }) { wire.hangUp() }
    }

    var requests: [Request] { exchanges.withLock { $0.requests } }

    func url(_ path: String) throws -> URL {
        try #require(URL(string: "\(certificate == nil ? "http" : "https")://localhost:\(port)\(path)"))
    }

    /// Sends a text on a connection without a request. Returns when the client's system has received it.
    func say(_ text: ByteString, on connection: Int) async {
        let wire = exchanges.withLock { $0.wires[connection] }
        wire.write(text)
        await waitUntil { !wire.isSending }
    }

    /// Suspends until the client has closed the connection.
    func waitUntilClosed(_ connection: Int) async {
        await exchanges.withLock { $0.wires[connection] }.closed.wait()
    }

    private struct Exchanges {
        var wires: [Wire] = []
        var requests: [Request] = []

        mutating func add(_ wire: Wire) -> Int {
            wires.append(wire)
            return wires.count - 1
        }
    }
}

/// The server's end of one connection.
private final class Wire: Sendable {
    let closed = Gate()
    private let descriptor: Int32
    /// A lock, because OpenSSL allows one thread at a time.
    private let tls: Locked<OpaquePointer?>

    init(_ descriptor: Int32, _ certificate: TestCertificate?) {
        self.descriptor = descriptor
        tls = Locked(certificate.flatMap { $0.accept(descriptor) })
    }

    deinit {
        tls.withLock { SSL_free($0) }
        close(descriptor)
    }

    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Answers requests until the client leaves.
    func serve(_ answer: (ByteString) -> [ByteString]) {
        var signals = sigset_t()
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var head: [UInt8] = []
        while let more = read() {
            head += more
            guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
            for piece in answer(ByteString(bytes: head)) { write(piece) }
            head = []
        }
        closed.open()
    }

    func write(_ text: ByteString) {
        let bytes = text.bytes
        tls.withLock { tls in
            if let tls {
                SSL_write(tls, bytes, Int32(bytes.count))
            } else {
                send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Whether the client's system has yet to acknowledge bytes, which a loaded system delays even on loopback.
    var isSending: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }

    /// Waits for bytes. Returns `nil` when the client has closed the connection.
    private func read() -> ArraySlice<UInt8>? {
        // Waits outside the lock, so that other threads can write meanwhile.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, -1) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = tls.withLock { tls in
            tls.map { Int(SSL_read($0, &buffer, Int32(buffer.count))) } ?? recv(descriptor, &buffer, buffer.count, 0)
        }
        return count > 0 ? buffer[..<count] : nil
    }
}

extension TestCertificate {
    /// Performs the TLS handshake with a client; returns `nil` if it fails.
    func accept(_ descriptor: Int32, speaksHTTP2: Bool = false) -> OpaquePointer? {
        guard let context = SSL_CTX_new(TLS_server_method()) else { return nil }
        // Each accepted connection retains the context.
        defer { SSL_CTX_free(context) }
        if speaksHTTP2 { SSL_CTX_set_alpn_select_cb(context, chooseHTTP2, nil) }
        guard SSL_CTX_use_certificate_file(context, path, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_use_PrivateKey_file(context, keyPath, SSL_FILETYPE_PEM) == 1, let tls = SSL_new(context)
        else { return nil }
        SSL_set_fd(tls, descriptor)
        guard SSL_accept(tls) == 1 else {
            SSL_free(tls)
            return nil
        }
        return tls
    }
}

private func chooseHTTP2(
    _ tls: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ count: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    let names = UnsafeBufferPointer(start: offered, count: Int(count))
    var start = 0
    while start < names.count {
        let end = start + 1 + Int(names[start])
        if names[start + 1..<end].elementsEqual("h2".utf8) {
            chosen?.pointee = offered?.advanced(by: start + 1)
            length?.pointee = 2
            return SSL_TLSEXT_ERR_OK
        }
        start = end
    }
    return SSL_TLSEXT_ERR_NOACK
}
