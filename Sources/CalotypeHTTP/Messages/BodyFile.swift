internal import CalotypeBase
package import Foundation

/// An open file that contains a body, and whose bytes never change.
package protocol BodyFile: AnyObject, Sendable {
    /// The file's descriptor, which is open for as long as the object exists.
    var descriptor: Int32 { get }

    /// Reads a range of the file. Does not block the caller's thread.
    func read(_ range: Range<Int>) async throws(TransportError) -> Data
}

/// A range of a file that serves as a body. A server can send it to a socket without a copy in memory.
package struct FileSlice: Sendable {
    package let file: any BodyFile
    package let range: Range<Int>

    package init(_ file: any BodyFile, _ range: Range<Int>) {
        self.file = file
        self.range = range
    }
}

extension HTTPBody {
    /// Creates a body that is read from the file in chunks.
    package init(_ slice: FileSlice) { self.init(FileBody(slice)) }

    /// The range of a file from which the body is read, or `nil` if the body has no file.
    package var slice: FileSlice? { (source as? FileBody)?.slice }
}

private final class FileBody: HTTPBodySource {
    private static let pieceSize = 256 << 10

    let slice: FileSlice
    private let position: Locked<Int>

    init(_ slice: FileSlice) {
        self.slice = slice
        position = Locked(slice.range.lowerBound)
    }

    func next() async throws(TransportError) -> Data? {
        let piece = position.withLock { position in
            let piece = position..<min(position + Self.pieceSize, slice.range.upperBound)
            position = piece.upperBound
            return piece
        }
        return piece.isEmpty ? nil : try await slice.file.read(piece)
    }
}
