package import Foundation

/// A file descriptor, such as standard output, that is written without a buffer.
package struct Stream: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package static let output = Stream(descriptor: 1)
    package static let errors = Stream(descriptor: 2)

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The size of a terminal in cells, and in pixels if it reports that; otherwise those are 0.
    package struct Size: Sendable {
        package let rows: Int
        package let columns: Int
        package let width: Int
        package let height: Int
    }

    /// The size of the terminal; `nil` if the descriptor is not a terminal, or the terminal does not report its width.
    package var size: Size? {
        // The fields of `winsize`, which belongs to another module in each version of glibc.
        var fields: [UInt16] = [0, 0, 0, 0]
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &fields) == 0, fields[1] > 0 else { return nil }
        return Size(
            rows: Int(fields[0]), columns: Int(fields[1]), width: Int(fields[2]), height: Int(fields[3]))
    }

    /// The width of the terminal, in columns.
    package var width: Int? { size?.columns }

    /// Writes all bytes.
    ///
    /// - Throws: `FileError`, whose `isBrokenPipe` is `true` if the reader has left.
    package func write(_ data: Data) throws(FileError) {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw FileError("cannot write", errno)
            }
        }
    }

    package func write(_ text: String) throws(FileError) { try write(Data(text.utf8)) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
