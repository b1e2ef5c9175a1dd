import CalotypeBase
import Foundation
import Glibc

extension FileHandle {
    /// Reads on a new thread until the end, so that the writer never waits.
    ///
    /// - Parameter onBytes: Called on the thread with the bytes that have arrived.
    func readBytes(_ onBytes: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        Thread { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = Glibc.read(fileDescriptor, &buffer, buffer.count)
                guard count > 0 || count < 0 && errno == EINTR else { return }
                buffer.withUnsafeBytes { onBytes(UnsafeRawBufferPointer(rebasing: $0.prefix(max(count, 0)))) }
            }
        }.start()
    }

    /// Returns a function that gets bytes as they arrive, and passes on the lines.
    static func splitting(
        to onLine: @escaping @Sendable (String) -> Void
    ) -> @Sendable (UnsafeRawBufferPointer) -> Void {
        let rest = Locked<[UInt8]>([])
        return { bytes in
            let lines = rest.withLock { rest in
                rest += bytes
                let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(lines.last ?? [])
                return lines.dropLast()
            }
            for line in lines { onLine(String(decoding: line, as: UTF8.self)) }
        }
    }

    /// Returns the text up to the next line feed or the end. Blocks until one of them arrives.
    func readLine() throws -> String {
        var line = Data()
        while let byte = try read(upToCount: 1), !byte.isEmpty, byte != Data([UInt8(ascii: "\n")]) { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
