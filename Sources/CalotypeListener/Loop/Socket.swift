import CEpoll
import CalotypeBase
import CalotypeHTTP
import Foundation
import Glibc

/// The non-blocking socket of a client's connection.
///
/// A class rather than a noncopyable struct, so that a message can pass it from the accepting to the serving thread.
final class Socket: Sendable {
    enum Received {
        case bytes(Int)
        case nothing
        /// The client has stopped sending.
        case end
        case failed
    }

    /// The limit on unsent data in the kernel, in bytes. Without it, each client that does not read could take
    /// megabytes of the kernel's memory.
    private static let unsentLimit = 128 << 10

    private let descriptor: Descriptor
    let client: ClientAddress?

    init(_ descriptor: consuming Descriptor, client: ClientAddress?) {
        self.descriptor = descriptor
        self.client = client
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(Self.unsentLimit))
    }

    var raw: Int32 { descriptor.number }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(raw, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    func receive(into buffer: inout [UInt8]) -> Received {
        let count = buffer.withUnsafeMutableBytes { recv(raw, $0.baseAddress, $0.count, 0) }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return errno == EAGAIN || errno == EINTR ? .nothing : .failed
    }

    struct Sent {
        let count: Int
        /// Whether the kernel's buffer is full.
        let isBlocked: Bool
    }

    /// The maximum number of bytes to send from a file in one call, which may have to read them from a disk.
    private static let fileBytesAtOnce = 512 << 10

    /// - Returns: `nil` if the connection is broken, or the file has become shorter.
    func send(_ frame: Frame) -> Sent? {
        if let rest = frame.restOfFile { return send(rest) }
        let count = sendFromMemory(frame, flags: frame.file == nil ? 0 : Int32(MSG_MORE))
        return count.map { Sent(count: $0, isBlocked: $0 < frame.count - frame.sent) }
    }

    private func send(_ slice: FileSlice) -> Sent? {
        var offset = off_t(slice.range.lowerBound)
        let count = sendfile(raw, slice.file.descriptor, &offset, min(slice.range.count, Self.fileBytesAtOnce))
        if count > 0 { return Sent(count: count, isBlocked: false) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? Sent(count: 0, isBlocked: true) : nil
    }

    /// - Returns: The number of bytes that the kernel took, or `nil` if the connection is broken.
    private func sendFromMemory(_ frame: Frame, flags: Int32) -> Int? {
        let count = frame.withRest { vectors in
            var message = msghdr()
            // The kernel does not write through this pointer.
            message.msg_iov = UnsafeMutablePointer(mutating: vectors.baseAddress)
            message.msg_iovlen = vectors.count
            return sendmsg(raw, &message, Int32(MSG_NOSIGNAL) | flags)
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// The number of bytes sent that the client has not acknowledged.
    var unacknowledged: Int { max(Int(calotype_unacknowledged(raw)), 0) }

    func endSending() { shutdown(raw, Int32(SHUT_WR)) }
}
