import CMicroHTTPD
import Foundation

/// Hands a body to the library, piece by piece, on the library's thread.
protocol BodyReader: AnyObject {
    /// Copies what comes next into `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPiece

    /// Nobody will read any more.
    func close()
}

enum BodyPiece {
    case bytes(Int)
    /// The connection is suspended: ask again when it has been resumed.
    case later
    case end
    case failed
}

extension BodyPiece {
    /// What the library's content reader returns.
    var code: Int {
        switch self {
        case .bytes(let count): count
        case .later: 0
        case .end: calotype_mhd_end_of_stream
        case .failed: calotype_mhd_end_with_error
        }
    }
}

/// Reads from bytes that are there, without a copy of all of them.
///
/// The library closes the connection when the end comes before the length that was announced.
final class DataReader: BodyReader {
    private let data: Data
    private var position: Int

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPiece {
        let count = min(buffer.count, data.endIndex - position)
        guard count > 0 else { return .end }
        data.copyBytes(to: buffer, from: position..<position + count)
        position += count
        return .bytes(count)
    }

    func close() {}
}
