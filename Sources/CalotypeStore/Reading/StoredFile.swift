import CalotypeBase
import Foundation

/// A body's file, open for the lifetime of the object. No block is verified twice, because files never change.
package final class StoredFile: Sendable {
    let size: Int
    private let file: FileDescriptor
    private let verifiedBlocks = Locked(Set<Int>())

    init(_ file: consuming FileDescriptor, size: Int) {
        self.file = file
        self.size = size
    }

    package var descriptor: Int32 { file.number }

    /// `true` until the file is deleted. A deleted file occupies disk space while it is open.
    var isLinked: Bool { (try? file.isLinked()) ?? false }

    func read(_ range: Range<Int>) throws(StoreError) -> Data? {
        try file.read(range.count, at: range.lowerBound)
    }

    /// Returns `true` if the range needs no further verification.
    func isVerified(_ range: Range<Int>) -> Bool {
        verifiedBlocks.withLock { BlockSums.blocks(of: range).allSatisfy($0.contains) }
    }

    /// Reads the range's blocks that are not verified yet, and verifies their checksums.
    ///
    /// - Parameters:
    ///   - sums: The checksums of the blocks. If `nil`, the whole body is read.
    ///   - checksum: The checksum of the whole body.
    /// - Returns: `false` if the bytes differ from the stored ones.
    func verify(_ range: Range<Int>, _ sums: BlockSums?, checksum: UInt64) throws(StoreError) -> Bool {
        if isVerified(range) { return true }
        guard let sums else {
            guard let body = try read(0..<size), Checksum.of(body) == checksum else { return false }
            verifiedBlocks.withLock { $0.formUnion(BlockSums.blocks(of: 0..<size)) }
            return true
        }
        for block in BlockSums.blocks(of: range) where !verifiedBlocks.withLock({ $0.contains(block) }) {
            let start = block * BlockSums.blockSize
            guard let bytes = try read(start..<min(start + BlockSums.blockSize, size)),
                sums[block] == Checksum.of(bytes)
            else { return false }
            note(block)
        }
        return true
    }

    fileprivate func note(_ block: Int) { verifiedBlocks.withLock { _ = $0.insert(block) } }
}

extension StoredFile {
    /// Returns a piece of the body after verifying it, or `nil` if its bytes differ from the stored ones.
    ///
    /// - Parameters:
    ///   - piece: A range within one block.
    ///   - sums: The checksums of the blocks, or `nil` for a body of one block.
    func readVerified(_ piece: Range<Int>, _ sums: BlockSums?, checksum: UInt64) throws(StoreError) -> Data? {
        if isVerified(piece) { return try read(piece) }
        let number = piece.lowerBound / BlockSums.blockSize
        let block = number * BlockSums.blockSize..<min((number + 1) * BlockSums.blockSize, size)
        guard let bytes = try read(block), Checksum.of(bytes) == sums?[number] ?? checksum else { return nil }
        note(number)
        if piece == block { return bytes }
        let start = bytes.startIndex - block.lowerBound
        return Data(bytes[(start + piece.lowerBound)..<(start + piece.upperBound)])
    }
}

/// A checksum for each block of a body, so that a part can be verified without the rest.
struct BlockSums: Sendable {
    static let blockSize = 256 << 10

    private let sums: [UInt64]

    /// - Returns: `nil` for a body of one block, which the body's checksum covers.
    init?(_ body: Data) {
        guard body.count > Self.blockSize else { return nil }
        sums = body.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: Self.blockSize).map { start in
                Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.blockSize, bytes.count)]))
            }
        }
    }

    /// - Returns: `nil` for fewer than two blocks.
    init?(_ sums: [UInt64]) {
        guard sums.count > 1 else { return nil }
        self.sums = sums
    }

    subscript(block: Int) -> UInt64? { sums.indices.contains(block) ? sums[block] : nil }

    static func blocks(of range: Range<Int>) -> Range<Int> {
        range.isEmpty ? 0..<0 : range.lowerBound / blockSize..<(range.upperBound - 1) / blockSize + 1
    }

    /// The checksums as little-endian numbers, followed by a checksum of them.
    var bytes: Data {
        var bytes = Data(capacity: (sums.count + 1) * 8)
        for sum in sums { bytes.append(littleEndian: sum) }
        bytes.append(littleEndian: Checksum.of(bytes))
        return bytes
    }

    /// - Returns: `nil` if these are not the checksums of a body of `size` bytes.
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
