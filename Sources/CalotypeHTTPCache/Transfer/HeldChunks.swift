internal import Foundation

/// The chunks of a body in memory, and for each chunk the number of readers that read it next. The cost of an operation
/// does not depend on the number of readers.
struct HeldChunks {
    /// The position of a reader: the index of its next chunk, and the number of the body's bytes before that chunk.
    struct Position {
        fileprivate(set) var chunk = 0
        fileprivate(set) var bytes = 0

        /// Returns the position of a reader that reads the bytes before the first held chunk elsewhere.
        static func behind(_ bytes: Int) -> Position { Position(chunk: -1, bytes: bytes) }
    }

    private(set) var chunks: [Data] = []
    private(set) var received = 0
    /// The number of readers whose next chunk has not been dropped.
    private(set) var readers = 0
    private(set) var first = Position()
    /// The position of the reader that has read the most, or ``first`` if there are no readers.
    private(set) var furthest = Position()
    /// For each chunk, the number of readers that read it next. The last element counts readers waiting for a new one.
    private var standing = [0]

    var byteCount: Int { received - first.bytes }

    /// Returns `true` if the reader's next chunk has been dropped.
    func isGone(_ position: Position) -> Bool { position.chunk < first.chunk }

    mutating func append(_ chunk: Data) {
        chunks.append(chunk)
        standing.append(0)
        received += chunk.count
    }

    /// Adds a reader at the first chunk.
    mutating func enter() -> Position {
        readers += 1
        standing[0] += 1
        return first
    }

    mutating func leave(_ position: Position) {
        guard !isGone(position) else { return }
        readers -= 1
        standing[position.chunk - first.chunk] -= 1
        while furthest.chunk > first.chunk, standing[furthest.chunk - first.chunk] == 0 {
            furthest.chunk -= 1
            furthest.bytes -= chunks[furthest.chunk - first.chunk].count
        }
    }

    /// Returns the reader's next chunk and advances the reader, or returns `nil` if the chunk has not arrived yet.
    mutating func advance(_ position: inout Position) -> Data? {
        let index = position.chunk - first.chunk
        guard index < chunks.count else { return nil }
        standing[index] -= 1
        standing[index + 1] += 1
        position.chunk += 1
        position.bytes += chunks[index].count
        if position.chunk > furthest.chunk { furthest = position }
        return chunks[index]
    }

    /// Drops the chunks that all readers have read, of the first `end` bytes of the body.
    mutating func dropRead(upTo end: Int = .max) {
        let read = standing.firstIndex { $0 > 0 } ?? chunks.count
        drop(end == .max ? read : min(read, chunkCount(upTo: end)))
    }

    /// Drops the oldest chunks beyond `limit` bytes, of the first `end` bytes of the body. Readers that need a dropped
    /// chunk are no longer counted.
    mutating func drop(beyond limit: Int, upTo end: Int = .max) {
        guard byteCount > limit else { return }
        var left = byteCount
        let count = chunks.prefix(chunkCount(upTo: end)).prefix { chunk in
            defer { left -= chunk.count }
            return left > limit
        }.count
        release(count)
    }

    /// Returns the number of held chunks that end within the first `end` bytes of the body.
    private func chunkCount(upTo end: Int) -> Int {
        var position = first.bytes
        return chunks.prefix { chunk in
            position += chunk.count
            return position <= end
        }.count
    }

    /// Drops chunks `distance` bytes or more behind the reader that has read the most. Readers that need a dropped
    /// chunk are no longer counted.
    mutating func drop(behind distance: Int) {
        var end = first.bytes
        let count = chunks.prefix { chunk in
            end += chunk.count
            return end <= furthest.bytes - distance
        }.count
        release(count)
    }

    private mutating func release(_ count: Int) {
        readers -= standing.prefix(count).reduce(0, +)
        drop(count)
    }

    private mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        first.chunk += count
        first.bytes += chunks.prefix(count).reduce(0) { $0 + $1.count }
        chunks.removeFirst(count)
        standing.removeFirst(count)
        if furthest.chunk < first.chunk { furthest = first }
    }
}
