import Foundation
import Glibc

/// A loopback server that accepts one connection at a time, reads a request head, sends the answer and disconnects.
package final class RawListener: Sendable {
    /// Returns the response to the bytes of a request head.
    package typealias Answer = @Sendable (_ head: [UInt8]) -> [UInt8]

    package let port: UInt16
    private let descriptor: Int32

    package convenience init(answer: [UInt8], resets: Bool = false) throws {
        try self.init(resets: resets) { _ in answer }
    }

    package init(resets: Bool = false, answer: @escaping Answer) throws {
        (descriptor, port) = try boundSocket()
        guard listen(descriptor, 16) == 0 else { throw SocketFailure(code: errno) }
        let descriptor = descriptor
        Thread { RawListener.serve(descriptor, answer, resets) }.start()
    }

    /// Stops accepting connections. The server's thread then closes the socket.
    package func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func serve(_ descriptor: Int32, _ answer: Answer, _ resets: Bool) {
        while true {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { break }
            let answer = answer(readHead(client))
            var sent = 0
            while sent < answer.count {
                let count = answer.withUnsafeBytes { bytes in
                    send(client, bytes.baseAddress.map { $0 + sent }, answer.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                sent += count
            }
            if resets {
                // A linger time of zero turns the close into a reset.
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            }
            close(client)
        }
        close(descriptor)
    }

    private static func readHead(_ client: Int32) -> [UInt8] {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(client, &byte, 1, 0) == 1 { head.append(byte) }
        return head
    }
}
