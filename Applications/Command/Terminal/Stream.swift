import Foundation

/// A file descriptor, such as standard output, that is written without a buffer.
struct Stream: Sendable {
    let descriptor: Int32

    static let output = Stream(descriptor: 1)
    static let errors = Stream(descriptor: 2)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The size of the terminal; `nil` if the descriptor is not a terminal, or the terminal does not report its width.
    var size: winsize? {
        var size = winsize()
        return isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? size : nil
    }

    /// The width of the terminal, in columns.
    var width: Int? { size.map { Int($0.ws_col) } }

    /// Writes all bytes.
    ///
    /// - Throws: `FileError`, whose `isBrokenPipe` is `true` if the reader has left.
    func write(_ data: Data) throws(FileError) {
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

    func write(_ text: String) throws(FileError) { try write(Data(text.utf8)) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
