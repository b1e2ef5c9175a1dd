import Foundation

/// The checksums of a body that arrives in pieces: of the whole, and of each block.
struct BodySums {
    private let whole = RunningHash(isLong: false)
    private let block = RunningHash(isLong: false)
    private var blockBytes = 0
    private var sums: [UInt64] = []
    private(set) var size = 0

    mutating func add(_ bytes: Data) {
        bytes.withUnsafeBytes { bytes in
            whole.add(bytes)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(BlockSums.blockSize - blockBytes)
                block.add(UnsafeRawBufferPointer(rebasing: piece))
                blockBytes += piece.count
                rest = rest.dropFirst(piece.count)
                if blockBytes == BlockSums.blockSize { endBlock() }
            }
            size += bytes.count
        }
    }

    private mutating func endBlock() {
        sums.append(block.short)
        block.reset()
        blockBytes = 0
    }

    var checksum: UInt64 { whole.short }

    /// The checksums of the blocks, or `nil` for one block.
    var blocks: BlockSums? { BlockSums(blockBytes > 0 ? sums + [block.short] : sums) }
}
