import CalotypeHTTP
import Foundation
import Glibc

/// Bytes that are sent together: a head and a body, or a chunk with its size and line ends.
struct Frame {
    var head: [UInt8] = []
    var lines: [UInt8] = []
    var body = Data()
    var end: [UInt8] = []
    /// The file to send after the other bytes.
    var file: FileSlice?
    private(set) var sent = 0

    /// The number of bytes in memory.
    var count: Int { head.count + lines.count + body.count + end.count }
    var isSent: Bool { sent == count + (file?.range.count ?? 0) }

    /// The unsent part of the file, or `nil` if there is no file or bytes in memory are still unsent.
    var restOfFile: FileSlice? {
        guard let file, sent >= count else { return nil }
        return FileSlice(file.file, file.range.lowerBound + sent - count..<file.range.upperBound)
    }

    mutating func advance(by count: Int) { sent += count }

    /// Calls `send` with the unsent bytes in memory, in order.
    func withRest<Result>(_ send: (UnsafeBufferPointer<iovec>) -> Result) -> Result {
        head.withUnsafeBytes { head in
            lines.withUnsafeBytes { lines in
                body.withUnsafeBytes { body in
                    end.withUnsafeBytes { end in
                        withUnsafeTemporaryAllocation(of: iovec.self, capacity: 4) { vectors in
                            var used = 0
                            var skip = sent
                            for part in [head, lines, body, end] {
                                let skipped = min(skip, part.count)
                                skip -= skipped
                                guard part.count > skipped else { continue }
                                // The kernel does not write through this pointer.
                                let base = UnsafeMutableRawPointer(mutating: part.baseAddress.map { $0 + skipped })
                                vectors.initializeElement(
                                    at: used, to: iovec(iov_base: base, iov_len: part.count - skipped))
                                used += 1
                            }
                            return send(UnsafeBufferPointer(rebasing: vectors[..<used]))
                        }
                    }
                }
            }
        }
    }
}
