import CalotypeBase
import Foundation

/// A body's file, open for as long as the object exists. What was verified once stays so: files never change.
package final class StoredFile: Sendable {
    private struct Verified {
        var isWhole = false
        var blocks: Set<Int> = []
    }

    package let size: Int
    private let file: FileDescriptor
    private let verified = Locked(Verified())

    init(_ file: consuming FileDescriptor, size: Int) {
        self.file = file
        self.size = size
    }

    package var descriptor: Int32 { file.number }

    /// A Boolean value indicating whether the path still leads to it. The space of one that was removed is free only
    /// when nobody has it open.
    var isLinked: Bool { (try? file.isLinked()) ?? false }

    /// Reads a part of it. Blocks.
    func read(_ range: Range<Int>) throws(StoreError) -> Data? {
        try file.read(range.count, at: range.lowerBound)
    }

    // MARK: Checksums

    /// Returns whether nothing is left to verify before these bytes may be used.
    func isVerified(_ range: Range<Int>) -> Bool {
        verified.withLock { verified in
            verified.isWhole || BlockSums.blocks(of: range).allSatisfy(verified.blocks.contains)
        }
    }

    /// Holds the bytes against their checksums, where that was not done before. Blocks.
    ///
    /// - Parameters:
    ///   - sums: of the blocks; `nil` if none were stored. The whole body is read then.
    ///   - checksum: of the whole body.
    /// - Returns: `false` if they are not those that were stored.
    func verify(_ range: Range<Int>, _ sums: BlockSums?, checksum: UInt64) throws(StoreError) -> Bool {
        if isVerified(range) { return true }
        guard let sums else {
            guard let body = try read(0..<size), Checksum.of(body) == checksum else { return false }
            verified.withLock { $0.isWhole = true }
            return true
        }
        for block in BlockSums.blocks(of: range) where !verified.withLock({ $0.blocks.contains(block) }) {
            let start = block * BlockSums.blockSize
            guard let bytes = try read(start..<min(start + BlockSums.blockSize, size)),
                sums[block] == Checksum.of(bytes)
            else { return false }
            verified.withLock { _ = $0.blocks.insert(block) }
        }
        return true
    }
}

/// A checksum for each part of a body, so that a part can be verified without the rest.
struct BlockSums: Sendable {
    static let blockSize = 256 << 10

    private let sums: [UInt64]

    /// - Returns: `nil` for a body of one block, whose checksum says as much.
    init?(_ body: Data) {
        guard body.count > Self.blockSize else { return nil }
        sums = body.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Self.blockSize).map { start in
                Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.blockSize, bytes.count)]))
            }
        }
    }

    subscript(block: Int) -> UInt64? { sums.indices.contains(block) ? sums[block] : nil }

    static func blocks(of range: Range<Int>) -> Range<Int> {
        range.isEmpty ? 0..<0 : range.lowerBound / blockSize..<(range.upperBound - 1) / blockSize + 1
    }

    // MARK: As it is stored

    /// Little-endian numbers, and a checksum of them at the end.
    var bytes: Data {
        var bytes = Data(capacity: (sums.count + 1) * 8)
        for sum in sums { bytes.append(littleEndian: sum) }
        bytes.append(littleEndian: Checksum.of(bytes))
        return bytes
    }

    /// - Returns: `nil` if these are not the sums of a body of `size` bytes.
    init?(stored bytes: Data, size: Int) {
        let count = Self.blocks(of: 0..<size).count
        guard bytes.count == (count + 1) * 8 else { return nil }
        let numbers = bytes.withUnsafeBytes { bytes in
            (0...count).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
        }
        guard numbers[count] == Checksum.of(bytes.prefix(count * 8)) else { return nil }
        sums = Array(numbers.dropLast())
    }
}

extension Data {
    fileprivate mutating func append(littleEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
